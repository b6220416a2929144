import { free } from '../../base/freed.ts'
import { LARGE_ANSWER_BYTES } from './answer-cost.ts'

/** Bytes in a block: so many the allocator takes from the system for themselves, and gives them back at once. */
const BLOCK_BYTES = 256 * 1024

/**
 * The bytes of an answer while it arrives. A large one comes in thousands of pieces, each an allocation of its own, of
 * which the allocator keeps the memory once it lies among others. So they are copied to a few blocks.
 */
export class ArrivedBytes {
  #pieces: Buffer[] = []
  #size = 0
  #blocks: Buffer[] = []
  /** Bytes in the last block. */
  #used = BLOCK_BYTES

  /** Adds a piece to the end. It is kept as it is while the answer is not large. */
  add(piece: Buffer): void {
    this.#size += piece.length
    this.#pieces.push(piece)
    if (this.#size <= LARGE_ANSWER_BYTES) return
    const pieces = this.#pieces
    this.#pieces = []
    for (const each of pieces) this.#copy(each)
  }

  /** All bytes, to be called once: the pieces that they are made of are released. */
  whole(): Buffer {
    const pieces = this.#blocks.length === 0 ? this.#pieces : this.#blocks
    const isWhole = pieces === this.#pieces && pieces.length === 1
    const whole = isWhole ? pieces[0]! : Buffer.concat(pieces, this.#size)
    this.free()
    return whole
  }

  /** Gives the memory of a large answer back at once. */
  free(): void {
    this.#pieces = []
    this.#blocks.forEach(free)
    this.#blocks = []
  }

  #copy(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#used === BLOCK_BYTES) {
        this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
        this.#used = 0
      }
      const copied = piece.copy(this.#blocks.at(-1)!, this.#used, at)
      this.#used += copied
      at += copied
    }
  }
}
