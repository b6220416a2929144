import { ownText } from '../../collections/own-text.ts'

/** Parts shorter than this, in characters, are put together: each part takes some memory besides its characters. */
const SMALL_CHARS = 1024
const PART_BYTES = 32

/**
 * A text that grows part by part, in memory of its own whose size is known. With `+=` it would be a tree of its parts,
 * 32 bytes for each newline, and each part would keep the whole piece that it was cut out of.
 */
export class KeptText {
  #parts: string[] = []
  #length = 0
  /** Whether there is a character beyond ASCII: one may make all of them take two bytes. */
  #isWide = false

  constructor(text = '') {
    this.add(text)
  }

  get length(): number {
    return this.#length
  }

  /** As in StreamReader. */
  get heldBytes(): number {
    return this.#length * (this.#isWide ? 2 : 1) + this.#parts.length * PART_BYTES
  }

  add(text: string): void {
    if (text === '') return
    const last = this.#parts.at(-1)
    const isSmall = last !== undefined && last.length + text.length <= SMALL_CHARS
    this.#parts[isSmall ? this.#parts.length - 1 : this.#parts.length] = ownText(isSmall ? last + text : text)
    this.#isWide ||= Buffer.byteLength(text) > text.length
    this.#length += text.length
  }

  /** Drops what lies beyond the first `length` characters. */
  shorten(length: number): void {
    if (length >= this.#length) return
    const text = this.toString().slice(0, length)
    this.#parts = []
    this.#length = 0
    this.#isWide = false
    this.add(text)
  }

  toString(): string {
    return this.#parts.join('')
  }
}
