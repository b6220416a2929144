/** Pieces smaller than this, in bytes, are merged: each of them takes more memory as an object than its bytes do. */
const SMALL_BYTES = 1024
const BLOCK_BYTES = 16 * 1024

/**
 * A piece that fills less than this part of the memory that it was received in is copied. Otherwise it would keep all
 * of that memory but count only as its own length. A body that is not in chunks fills the memory that it is received
 * in, except for its head.
 */
const MIN_PART = 7 / 8

/**
 * A first piece below SMALL_BYTES is not copied if the memory that it was received in has at most this many bytes. Most
 * answers, with their heads, are no longer.
 */
const UNCOPIED_BYTES = 4 * 1024

/**
 * Merges small pieces of an answer, so that a forge that sends it byte by byte, or pads it with extensions of its
 * chunks, uses no more memory.
 */
export class MergedPieces {
  /** Most answers are one small piece, which is passed on as it is. */
  #alone: Buffer | undefined
  #isFirst = true
  #block: Buffer | undefined
  #used = 0

  /** @returns the pieces to pass on now, in order */
  add(piece: Buffer): readonly Buffer[] {
    const isFirst = this.#isFirst
    this.#isFirst = false
    if (piece.length >= SMALL_BYTES) {
      const before = this.rest()
      const own = owned(piece)
      return before === undefined ? [own] : [before, own]
    }
    if (isFirst) {
      this.#alone = piece.buffer.byteLength > UNCOPIED_BYTES ? owned(piece) : piece
      return []
    }
    const full = this.#used + piece.length > BLOCK_BYTES ? this.rest() : undefined
    this.#append(piece)
    return full === undefined ? [] : [full]
  }

  /** What has not been passed on yet. */
  rest(): Buffer | undefined {
    const rest = this.#alone ?? (this.#block && owned(this.#block.subarray(0, this.#used)))
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

function owned(piece: Buffer): Buffer {
  if (piece.length >= piece.buffer.byteLength * MIN_PART) return piece
  const copy = Buffer.allocUnsafeSlow(piece.length)
  piece.copy(copy)
  return copy
}
