/*
 * Line ends of texts, which may have millions of them: none is matched by itself, and texts with other ends are copied
 * character by character, where a replacement of each end would take five times as long.
 */

const [LF, CR] = [10, 13]

/** A text with LF as its only line end. */
export function withLineFeeds(text: string): string {
  if (!text.includes('\r\n')) return text
  const copy = new Copy()
  for (let at = 0; at < text.length; at++) if (!isWindowsEnd(text, at)) copy.add(text.charCodeAt(at))
  return copy.toString()
}

/** Whether every line of a text that ends does so with CRLF, and one does. */
export const hasWindowsEnds = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text)

/** A text whose line ends are LF alone, with CRLF in their place. */
export function withWindowsEnds(text: string): string {
  if (!text.includes('\n')) return text
  const copy = new Copy()
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === LF) copy.add(CR)
    copy.add(unit)
  }
  return copy.toString()
}

/** Whether two texts are the same where LF and CRLF count as one. No text is made, as they may have a million lines. */
export function areSameButEnds(one: string, other: string): boolean {
  let [at, beside] = [0, 0]
  while (at < one.length && beside < other.length) {
    if (isWindowsEnd(one, at)) at++
    if (isWindowsEnd(other, beside)) beside++
    if (one.charCodeAt(at++) !== other.charCodeAt(beside++)) return false
  }
  return at === one.length && beside === other.length
}

const isWindowsEnd = (text: string, at: number): boolean =>
  text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF

/** Characters that are made a string at once. Their place is that of one copy at a time: each is made in one turn. */
const AT_ONCE = 16_384
const units = new Uint16Array(AT_ONCE)
const bytes = Buffer.from(units.buffer)
/** Below, a string takes one byte for each character. */
const WIDE = 0x100

/** A text that is put together from its UTF-16 units, one at a time. */
class Copy {
  #made = ''
  #length = 0
  #bits = 0

  add(unit: number): void {
    if (this.#length === AT_ONCE) this.#join()
    units[this.#length++] = unit
    this.#bits |= unit
  }

  toString(): string {
    this.#join()
    return this.#made
  }

  #join(): void {
    const piece = units.subarray(0, this.#length)
    this.#made +=
      this.#bits < WIDE
        ? Buffer.from(piece).toString('latin1')
        : bytes.toString('utf16le', 0, 2 * this.#length)
    this.#length = 0
    this.#bits = 0
  }
}
