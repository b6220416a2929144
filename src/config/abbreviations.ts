import { type Variable, variables } from './schema.ts'

/** The words of a name. A plural counts as the same word: ALLOWED_PROJECTS, and the ids of allowed projects. */
const wordsOf = (name: string): string[] => name.split('_').map(word => word.replace(/S$/, ''))

/**
 * Finds the variable that contains the given words in the same order: READ_ONLY finds FORGE_READ_ONLY_MODE. If several
 * match, the shortest is returned, so that TOKEN finds the token and not the file with it.
 * @param name words in capitals, separated by underscores
 * @param among the variables that may be found
 */
export function byAbbreviation(name: string, among: readonly Variable[] = variables): Variable | undefined {
  // The duration of a request is no setting. The variables with this word are about other times.
  if (/^(?:FORGE_)?TIMEOUT$/.test(name)) return undefined
  const words = wordsOf(name)
  const isMeant = (variable: Variable) => {
    let at = 0
    for (const word of wordsOf(variable)) if (word === words[at]) at++
    return at === words.length
  }
  return among.filter(isMeant).sort((a, b) => a.length - b.length)[0]
}
