import { randomInt } from 'node:crypto'

/**
 * An odd number that differs in each process, so that nobody can construct parts that have the same number as others.
 */
const BASE = 2 * randomInt(2 ** 30) + 1

/**
 * Tells which texts may be parts of a given text, each in time proportional to its own length. Searching for a thousand
 * of them would pass over the given text a thousand times. The parts of one length are numbered in one pass (Rabin and
 * Karp).
 */
export class TextParts {
  readonly #text: string
  readonly #ofLength = new Map<number, ReadonlySet<number>>()

  constructor(text: string) {
    this.#text = text
  }

  /**
   * @param part the first query for each length takes one pass over the text
   * @returns false if the part is not in the text
   */
  mayHave(part: string): boolean {
    let numbers = this.#ofLength.get(part.length)
    if (numbers === undefined) {
      numbers = numbersOf(this.#text, part.length)
      this.#ofLength.set(part.length, numbers)
    }
    let number = 0
    for (let at = 0; at < part.length; at++) number = next(number, part.charCodeAt(at))
    return numbers.has(number)
  }
}

const next = (number: number, unit: number): number => (Math.imul(number, BASE) + unit) | 0

/** The numbers of all parts of a length. */
function numbersOf(text: string, length: number): ReadonlySet<number> {
  const numbers = new Set<number>()
  let first = 1
  for (let power = 0; power < length; power++) first = Math.imul(first, BASE)
  let number = 0
  for (let at = 0; at < text.length; at++) {
    number = next(number, text.charCodeAt(at))
    if (at >= length) number = (number - Math.imul(first, text.charCodeAt(at - length))) | 0
    if (at >= length - 1) numbers.add(number)
  }
  return numbers
}
