/** Size of one block in bytes. */
const BLOCK_BYTES = 64 * 1024

const LF = 10

interface Block {
  readonly bytes: Buffer
  used: number
  lines: number
}

/**
 * The last lines of a text, as bytes in blocks. A block is reused once none of its lines is wanted, so memory does not
 * grow with the text.
 */
export class TailBlocks {
  readonly #wanted: number
  readonly #most: number
  /** The blocks, oldest first. */
  readonly #blocks: Block[] = []
  #lines = 0

  /**
   * @param wanted number of lines to keep
   * @param maxBytes most bytes to keep
   */
  constructor(wanted: number, maxBytes: number) {
    this.#wanted = wanted
    this.#most = maxBytes / BLOCK_BYTES
  }

  /** As in StreamReader. */
  get heldBytes(): number {
    return this.#blocks.length * BLOCK_BYTES
  }

  /** Number of wanted lines that are kept. */
  get lines(): number {
    return Math.min(this.#lines, this.#wanted)
  }

  /** Bytes left in the last block. */
  get room(): number {
    return BLOCK_BYTES - (this.#blocks.at(-1)?.used ?? BLOCK_BYTES)
  }

  /** Adds whole lines, each with its newline. Together they must fit into a block. */
  append(source: Buffer, from: number, to: number, lines: number): void {
    const block = to - from <= this.room ? this.#blocks.at(-1)! : this.#next()
    block.used += source.copy(block.bytes, block.used, from, to)
    block.lines += lines
    this.#lines += lines
  }

  /** The lines, last one first, without their newlines. They are views of the blocks: do not keep them. */
  *backwards(): Generator<Buffer> {
    for (const { bytes, used } of this.#blocks.toReversed())
      for (let end = used; end > 0; ) {
        const start = end < 2 ? 0 : bytes.lastIndexOf(LF, end - 2) + 1
        yield bytes.subarray(start, end - 1)
        end = start
      }
  }

  #next(): Block {
    const oldest = this.#blocks[0]
    const isFree = oldest !== undefined && this.#lines - oldest.lines >= this.#wanted
    let block: Block
    if (isFree || this.#blocks.length >= this.#most) {
      block = this.#blocks.shift()!
      this.#lines -= block.lines
      block.used = 0
      block.lines = 0
    } else {
      block = { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), used: 0, lines: 0 }
    }
    this.#blocks.push(block)
    return block
  }
}
