/*
 * Line ends of texts, which may have millions of them. So line ends are not matched one by one, and texts with other
 * ends are copied character by character: a replacement of each end would take five times as long.
 */

const [LF, CR] = [10, 13]

/** Converts all line ends of a text to LF. */
export function withLineFeeds(text: string): string {
  if (!text.includes('\r\n')) return text
  const copy = new Copy()
  for (let at = 0; at < text.length; at++) if (!isWindowsEnd(text, at)) copy.add(text.charCodeAt(at))
  return copy.toString()
}

/** Whether a text has line ends, and all of them are CRLF. */
export const hasWindowsEnds = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text)

/** Converts all line ends of a text from LF to CRLF. */
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

/**
 * Whether two texts are equal except for LF and CRLF. It builds no string, because the texts may have a million lines.
 */
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

/**
 * The number of characters converted to a string at once. The buffer is shared: each copy is made within one turn of
 * the event loop.
 */
const AT_ONCE = 16_384
const units = new Uint16Array(AT_ONCE)
const bytes = Buffer.from(units.buffer)
/** If all characters are below this, a string takes one byte for each. */
const WIDE = 0x100

/** Builds a text from its UTF-16 units, one at a time. */
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
