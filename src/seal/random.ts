import { randomFillSync } from 'node:crypto'

/** Gives that many random bytes; they are overwritten later, so whoever keeps them copies them. */
export type Random = (length: number) => Buffer

/** Random bytes by the block, which halves the price of a nonce. */
export function pooledRandom(fill: (block: Buffer) => void = randomFillSync, size = 4096): Random {
  const block = Buffer.alloc(size)
  let used = size
  return length => {
    if (used + length > size) {
      fill(block)
      used = 0
    }
    used += length
    return block.subarray(used - length, used)
  }
}
