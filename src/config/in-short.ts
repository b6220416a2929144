import { type Variable, variables } from './schema.ts'

/** The plural is the same word: ALLOWED_PROJECTS, and the ids of allowed projects. */
const wordsOf = (name: string): string[] => name.split('_').map(word => word.replace(/S$/, ''))

/**
 * The variable that is called by some of its words, in their order: READ_ONLY is FORGE_READ_ONLY_MODE. Of several the
 * shortest, so that TOKEN is a token and not the file with it.
 * @param name words in capitals, with underscores between
 */
export function inShort(name: string): Variable | undefined {
  const words = wordsOf(name)
  const isMeant = (variable: Variable) => {
    let at = 0
    for (const word of wordsOf(variable)) if (word === words[at]) at++
    return at === words.length
  }
  return variables.filter(isMeant).sort((a, b) => a.length - b.length)[0]
}
