const NEWLINE = 0x0a

/** Splits a stream of bytes into lines, and keeps no more than the longest allowed line. */
export class Lines {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0

  /** @param maxBytes longest line, without its line end */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * Takes the next bytes.
   * @returns the lines that end in the chunk; undefined for a line that was too long, which is dropped
   */
  take(chunk: Buffer): (Buffer | undefined)[] {
    const lines: (Buffer | undefined)[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end))
      lines.push(this.#line())
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    return lines
  }

  /** The bytes after the last line end. To be called when no more bytes will come. */
  rest(): (Buffer | undefined)[] {
    return this.#bytes === 0 ? [] : [this.#line()]
  }

  #add(part: Buffer): void {
    if (part.length === 0) return
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) this.#parts = []
    else this.#parts.push(part)
  }

  #line(): Buffer | undefined {
    const line = this.#bytes > this.#maxBytes ? undefined : Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    return line
  }
}
