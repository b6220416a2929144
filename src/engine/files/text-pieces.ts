/**
 * Decodes a file piece by piece, as long as it is text: UTF-8 without a NUL. A byte order mark is kept. Decoding pieces
 * as they arrive does not block the event loop, unlike decoding megabytes at once.
 */
export class TextPieces {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #isText = true
  #hasNul = false

  /** Whether everything decoded so far is text. */
  get isText(): boolean {
    return this.#isText
  }

  /** Whether a NUL showed that it is no text. Without one, it may be text in another encoding. */
  get hasNul(): boolean {
    return this.#hasNul
  }

  /**
   * @param chunk undefined at the end, where a truncated character means that it is not text
   * @returns its text; an empty text once the file turned out not to be text
   */
  decode(chunk?: Buffer): string {
    if (!this.#isText) return ''
    this.#hasNul = chunk?.includes(0) === true
    if (this.#hasNul) {
      this.#isText = false
      return ''
    }
    try {
      return this.#decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      this.#isText = false
      return ''
    }
  }
}
