/** Type, version and length before the content of each record. */
const HEAD_BYTES = 5

/** Finds where the records of TLS end in what has arrived (RFC 8446 section 5.1), without what is in them. */
export class TlsRecords {
  /** Bytes of the head of this record that have come. */
  #head = 0
  /** Bytes of its content that are still to come, once the head has. */
  #left = 0

  /**
   * Goes on to the next end of a record, or to the end of a chunk that has none.
   * @param chunk what follows on what was gone through before
   * @returns bytes of the chunk up to there, and whether a record ends there
   */
  next(chunk: Buffer): { readonly bytes: number; readonly isEnd: boolean } {
    let at = 0
    for (; this.#head < HEAD_BYTES; at++) {
      if (at === chunk.length) return { bytes: at, isEnd: false }
      // The last two bytes are the length; what it shifts out are those before.
      this.#left = ((this.#left << 8) | chunk[at]!) & 0xffff
      this.#head++
    }
    const bytes = Math.min(at + this.#left, chunk.length)
    this.#left -= bytes - at
    const isEnd = this.#left === 0
    if (isEnd) this.#head = 0
    return { bytes, isEnd }
  }
}
