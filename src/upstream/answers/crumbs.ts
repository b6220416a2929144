/** Pieces smaller than this, in bytes, are merged: each of them takes more memory as an object than its bytes do. */
const CRUMB_BYTES = 1024
const BLOCK_BYTES = 16 * 1024

/** Merges small pieces of an answer, so that a forge that sends it byte by byte uses no more memory. */
export class Crumbs {
  /** Most answers are one small piece, which is passed on as it is. */
  #alone: Buffer | undefined
  #block: Buffer | undefined
  #used = 0

  /** @returns the pieces to pass on now, in order */
  add(piece: Buffer): readonly Buffer[] {
    if (piece.length >= CRUMB_BYTES) {
      const before = this.rest()
      return before === undefined ? [piece] : [before, piece]
    }
    if (this.#alone === undefined && this.#block === undefined) {
      this.#alone = piece
      return []
    }
    const full = this.#used + piece.length > BLOCK_BYTES ? this.rest() : undefined
    this.#append(piece)
    return full === undefined ? [] : [full]
  }

  /** What has not been passed on yet. */
  rest(): Buffer | undefined {
    const rest = this.#alone ?? this.#block?.subarray(0, this.#used)
    this.#alone = undefined
    this.#block = undefined
    this.#used = 0
    return rest
  }

  #append(piece: Buffer): void {
    const alone = this.#alone
    this.#alone = undefined
    this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES)
    if (alone !== undefined) this.#used += alone.copy(this.#block)
    this.#used += piece.copy(this.#block, this.#used)
  }
}
