/** The hash of a whole number in V8's sets and maps, which has no seed (ComputeUnseededHash). */
function hashOf(number: number): number {
  let hash = number | 0
  hash = (~hash + (hash << 15)) | 0
  hash ^= hash >>> 12
  hash = (hash + (hash << 2)) | 0
  hash ^= hash >>> 4
  hash = Math.imul(hash, 2057)
  return hash ^ (hash >>> 16)
}

/** Numbers that a set of up to as many puts in one bucket, so that each is compared with each. */
export function numbersOfOneHash(count: number): readonly number[] {
  const mask = 2 ** Math.ceil(Math.log2(count)) - 1
  const found: number[] = []
  for (let number = 1; found.length < count; number++) if ((hashOf(number) & mask) === 0) found.push(number)
  return found
}
