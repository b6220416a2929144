import { CallProblem } from '../../results/problem.ts'

/** Most characters of all texts of a call that are divided into names. Fifty lists of honest names have a tenth. */
const MAX_CHARS = 40_000

/** Most names of all these texts together: twice as many as the longest list that is given as one may have. */
const MAX_NAMES = 2_000

/**
 * Divides the texts of one call in which models write several names. Such a text counts as one value of its message,
 * and its names take more memory than its characters for as long as the call lasts: a hundred texts of a thousand names
 * each would let a few addresses end the process, and hold the event loop for a third of a second.
 */
export class NameTexts {
  #chars = MAX_CHARS
  #names = MAX_NAMES

  /**
   * Reserves the time to look through a text for names.
   * @throws CallProblem if there is too much of such texts in the call
   */
  look(text: string): void {
    this.#chars -= text.length
    if (this.#chars < 0) throw tooMuch()
  }

  /** Counts names that were found. @throws CallProblem if there are too many in the call */
  count(names: number): void {
    this.#names -= names
    if (this.#names < 0) throw tooMuch()
  }

  /**
   * Splits a text.
   * @throws CallProblem if there is too much of such texts, or of the names in them, in the call
   */
  split(text: string, at: string | RegExp): string[] {
    this.look(text)
    const parts = text.split(at, this.#names + 1)
    this.count(parts.length)
    return parts
  }
}

const tooMuch = (): CallProblem =>
  new CallProblem(
    `Invalid arguments: names that are written as texts in place of lists have ${MAX_CHARS} characters in a call, and are ${MAX_NAMES}, at most. Give them as lists, such as ["a","b"], or in several calls.`
  )
