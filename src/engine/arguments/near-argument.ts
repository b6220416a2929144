import { distance } from 'fastest-levenshtein'
import { hasSameLetters, SHORT_CHARS } from '../../base/nearest.ts'

/** Most characters of a name that is compared: no argument has more. */
const MAX_CHARS = 60

/**
 * The argument that a name is a typing error of; undefined if there is none. Names are compared word by word. As texts,
 * `closed_after` is close to `created_after`, and `add_reviewer_ids` to `reviewer_ids`, but they mean something else: a
 * caller who followed such a suggestion would filter by another date, or replace a list that was to be extended.
 */
export function nearArgument(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_CHARS) return undefined
  const words = wordsOf(name)
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of names) {
    const steps = stepsBetween(words, wordsOf(candidate))
    if (steps < least) [best, least] = [candidate, steps]
  }
  return best
}

/** More suggestions would not help. */
const MAX_SUGGESTED = 3

/** The arguments that begin or end with the words of a name: `after` may be created_after or updated_after. */
export function longerArguments(name: string, names: readonly string[]): readonly string[] {
  const words = [name, sameWords.get(name) ?? name]
  const longer = names.filter(other =>
    words.some(word => other === word || other.startsWith(`${word}_`) || other.endsWith(`_${word}`))
  )
  return name.length > MAX_CHARS || longer.length > MAX_SUGGESTED ? [] : longer
}

/** Words of other tools, and those that our names have for them. */
const sameWords: ReadonlyMap<string, string> = new Map([
  ['since', 'after'],
  ['until', 'before']
])

const wordsOf = (name: string): readonly string[] => name.toLowerCase().split(/[^a-z\d]+/)

/** The number of letters by which the words differ; infinite if two of them are not the same word mistyped. */
function stepsBetween(words: readonly string[], others: readonly string[]): number {
  if (words.join('') === others.join('')) return 0
  if (words.length !== others.length) return Number.POSITIVE_INFINITY
  return words.reduce((steps, word, at) => steps + typingErrors(word, others[at]!), 0)
}

function typingErrors(word: string, other: string): number {
  const steps = distance(word, other)
  if (steps < 2 || hasSameLetters(word, other)) return Math.min(steps, 1)
  return steps === 2 && word.length > SHORT_CHARS && word[0] === other[0] ? steps : Number.POSITIVE_INFINITY
}
