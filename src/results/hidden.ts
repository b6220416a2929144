import { isHidden, notPlain } from './character-kinds.ts'
import { Around } from './needed.ts'

/* Removes invisible characters from a text, except those that other characters need to be displayed correctly. */

/** In a longer run of hidden characters, only those at its ends can be needed, next to a character that they affect. */
const MAX_RUN = 4
const AT_END = 2

/** A text without its hidden characters, except those that other characters need. */
export function withoutHidden(text: string): string {
  const notAscii = text.search(notPlain)
  let end = notAscii < 0 ? text.length : endOfRun(text, notAscii, false)
  if (end === text.length) return text
  const shown = new Stretches(text)
  const around = new Around(text)
  for (let start = end; start < text.length; start = endOfRun(text, end, false)) {
    end = endOfRun(text, start, true)
    const first = start + around.flagAt(start)
    const isLong = end - first > MAX_RUN
    for (let at = first; at < end; ) {
      if (isLong && at >= first + AT_END && at < end - AT_END) {
        shown.leaveOut(at, end - AT_END)
        at = end - AT_END
      }
      const next = at + (text.codePointAt(at)! > 0xffff ? 2 : 1)
      if (!around.needs(at, start, end)) shown.leaveOut(at, next)
      at = next
    }
  }
  return shown.toString()
}

/** Longest stretch that is copied character by character: joining a hundred thousand one-character strings is slow. */
const SHORT = 64
/** Characters that are converted to a string at once. */
const AT_ONCE = 4096

/** Builds the rest of a text from which parts are removed, in order. */
class Stretches {
  readonly #text: string
  readonly #short: Uint16Array
  #shorts = 0
  #left = ''
  #from = 0

  constructor(text: string) {
    this.#text = text
    this.#short = new Uint16Array(Math.min(text.length, AT_ONCE))
  }

  leaveOut(start: number, end: number): void {
    this.#keepTo(start)
    this.#from = end
  }

  toString(): string {
    this.#keepTo(this.#text.length)
    this.#join()
    return this.#left
  }

  #keepTo(end: number): void {
    if (this.#shorts > AT_ONCE - SHORT) this.#join()
    if (end - this.#from > SHORT) {
      this.#join()
      this.#left += this.#text.slice(this.#from, end)
    } else for (let at = this.#from; at < end; at++) this.#short[this.#shorts++] = this.#text.charCodeAt(at)
  }

  #join(): void {
    this.#left += Reflect.apply(String.fromCharCode, null, this.#short.subarray(0, this.#shorts))
    this.#shorts = 0
  }
}

/** The end of the run of hidden (or visible) characters that begins at an index; the run may be empty. */
function endOfRun(text: string, start: number, areHidden: boolean): number {
  for (let at = start; at < text.length; ) {
    const code = text.codePointAt(at)!
    if (isHidden(code) !== areHidden) return at
    at += code > 0xffff ? 2 : 1
  }
  return text.length
}
