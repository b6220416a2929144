import { ownText } from '../../collections/own-text.ts'
import { textBytes } from '../../collections/text-bytes.ts'

// Re-exported for the readers of tools.
export { textBytes }

/** Shorter parts, in characters, are joined: each part takes some memory besides its characters. */
const SMALL_CHARS = 1024
const PART_BYTES = 32

/**
 * A text that grows part by part, in memory of its own whose size is known. With `+=` the text would be a tree of its
 * parts, with 32 bytes for each newline, and each part would keep the whole piece that it was cut from.
 */
export class KeptText {
  #parts: string[] = []
  #length = 0
  /** Of all parts except the last, which may still grow. */
  #bytes = 0
  #lastBytes = 0

  constructor(text = '') {
    this.add(text)
  }

  get length(): number {
    return this.#length
  }

  /** As in StreamReader. */
  get heldBytes(): number {
    return this.#bytes + this.#lastBytes + this.#parts.length * PART_BYTES
  }

  add(text: string): void {
    if (text === '') return
    const last = this.#parts.at(-1)
    const isSmall = last !== undefined && last.length + text.length <= SMALL_CHARS
    const part = ownText(isSmall ? last + text : text)
    this.#parts[isSmall ? this.#parts.length - 1 : this.#parts.length] = part
    if (!isSmall) this.#bytes += this.#lastBytes
    this.#lastBytes = textBytes(part)
    this.#length += text.length
  }

  /** Drops everything after the first `length` characters. */
  shorten(length: number): void {
    if (length >= this.#length) return
    const text = this.toString().slice(0, length)
    this.#parts = []
    this.#length = 0
    this.#bytes = 0
    this.#lastBytes = 0
    this.add(text)
  }

  toString(): string {
    return this.#parts.join('')
  }
}
