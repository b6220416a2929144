import { type Variable, variables } from './schema.ts'

/**
 * The variable that is called by some of its words, in their order: READ_ONLY is FORGE_READ_ONLY_MODE. Of several the
 * shortest, so that TOKEN is a token and not the file with it.
 * @param name words in capitals, with underscores between
 */
export function inShort(name: string): Variable | undefined {
  const words = name.split('_')
  const isMeant = (variable: Variable) => {
    let at = 0
    for (const word of variable.split('_')) if (word === words[at]) at++
    return at === words.length
  }
  return variables.filter(isMeant).sort((a, b) => a.length - b.length)[0]
}
