import { CallProblem } from '../../../src/results/problem.ts'

/**
 * The remaining effort of one call, counted in comparisons of characters. All searches and replacements of the call
 * share it.
 */
export interface Effort {
  left: number
  /** What the caller can do when the effort is used up. */
  readonly instead: string
}

/** A new budget, which lasts about ten milliseconds for texts that are made to be slow. */
export const searchEffort = (instead: string): Effort => ({ left: 1_000_000, instead })

/**
 * Deducts a cost.
 * @throws CallProblem when the effort is used up
 */
export function spend(effort: Effort, cost: number): void {
  effort.left -= cost
  if (effort.left < 0)
    throw new CallProblem(`This is too much to search for in so long a text: ${effort.instead}.`)
}

/** The cost of each match, including its replacement. */
const REPLACING = 8

/** How many characters indexOf looks for: few enough to be quick in any repetitive text, and enough to be rare. */
const HEAD = 4

/** The cost of scanning a text for a character and copying it: as much as comparing one in eight of its characters. */
export const passOver = (text: string): number => Math.ceil(text.length / 8)

/**
 * Finds where a text occurs in another, literally and without overlaps, from the left. The built-in indexOf takes
 * seconds if both texts repeat one character; this is the algorithm of Knuth, Morris and Pratt, which never goes back.
 * @param wanted not empty
 * @returns start positions in UTF-16 units
 * @throws CallProblem when the effort is used up
 */
export function occurrences(text: string, wanted: string, effort: Effort): number[] {
  spend(effort, passOver(text))
  const found: number[] = []
  const borders = bordersOf(wanted, effort)
  const head = wanted.slice(0, HEAD)
  let matched = 0
  for (let at = 0; at < text.length; ) {
    if (matched === 0) {
      const next = text.indexOf(head, at)
      if (next < 0) break
      matched = head.length
      at = next + matched
    } else matched = extend(wanted, borders, matched, text.charCodeAt(at++))
    spend(effort, 1)
    if (matched === wanted.length) {
      found.push(at - matched)
      spend(effort, REPLACING)
      matched = 0
    }
  }
  return found
}

/** For each prefix, the length of the longest shorter prefix that is also its end. */
function bordersOf(wanted: string, effort: Effort): Int32Array {
  const borders = new Int32Array(wanted.length)
  spend(effort, wanted.length)
  for (let at = 1; at < wanted.length; at++)
    borders[at] = extend(wanted, borders, borders[at - 1]!, wanted.charCodeAt(at))
  return borders
}

/** How many characters of `wanted` match after one more character. */
function extend(wanted: string, borders: Int32Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && wanted.charCodeAt(length) !== code) length = borders[length - 1]!
  return wanted.charCodeAt(length) === code ? length + 1 : length
}
