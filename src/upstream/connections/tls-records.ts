/** Bytes of type, version and length before the content of each record. */
const HEAD_BYTES = 5

/**
 * Finds where TLS records end in the bytes that have arrived (RFC 8446 section 5.1). It does not look at their content.
 */
export class TlsRecords {
  /** Bytes of the current record's head that have arrived. */
  #head = 0
  /** Bytes of its content that are still to come, once the head is complete. */
  #left = 0

  /**
   * Advances to the next end of a record, or to the end of the chunk if no record ends in it.
   * @param chunk the bytes that follow those of earlier calls
   * @returns how many bytes of the chunk come before that point, and whether a record ends there
   */
  next(chunk: Buffer): { readonly bytes: number; readonly isEnd: boolean } {
    let at = 0
    for (; this.#head < HEAD_BYTES; at++) {
      if (at === chunk.length) return { bytes: at, isEnd: false }
      // The last two bytes of the head are the length; those before them are shifted out.
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
