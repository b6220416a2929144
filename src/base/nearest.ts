import { distance } from 'fastest-levenshtein'

/** Most characters of all compared names, which take about ten milliseconds. */
const MAX_COMPARED = 300_000
/** Most characters of the wrong name that are compared. */
const MAX_WRONG = 100
/** In a name or word up to this length, two letters are half of it, or nearly half. */
export const SHORT_CHARS = 5

/** Whether two words have the same letters, as words with swapped letters do. */
export const hasSameLetters = (word: string, other: string): boolean => lettersOf(word) === lettersOf(other)
const lettersOf = (word: string): string => [...word].sort().join('')

/**
 * The name that a wrong name was most likely meant to be; undefined if none is similar. Names of arguments are compared
 * more strictly (engine/arguments/near-argument.ts), because there a wrong guess changes what a call does.
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  // Cut again, because some letters become two in lower case.
  const wrong = name.slice(0, MAX_WRONG).toLowerCase().slice(0, MAX_WRONG)
  let best: string | undefined
  let least = Math.max(2, Math.floor(wrong.length / 3)) + 1
  let left = MAX_COMPARED
  for (const candidate of names) {
    // The lengths alone differ too much. Forges may report names of any length.
    if (Math.abs(candidate.length - wrong.length) >= least) continue
    left -= candidate.length
    if (left < 0) break
    const other = candidate.toLowerCase()
    const steps = distance(wrong, other)
    if (steps > 1 && wrong.length <= SHORT_CHARS && other[0] !== wrong[0]) continue
    if (steps < least) [best, least] = [candidate, steps]
  }
  return best
}
