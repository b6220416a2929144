import { randomFillSync } from 'node:crypto'

/** Returns that many random bytes; they are overwritten later, so callers that keep them must copy them. */
export type Random = (length: number) => Buffer

/** Random bytes drawn in blocks, which halves the cost of a nonce. */
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
