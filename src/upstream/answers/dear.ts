import { HEAVY_BYTES } from '../guard/heavy.ts'

/** Below this an answer costs little, whatever it is made of. */
const LEAST_BYTES = 32 * 1024

/** A page of a hundred records has fewer; as many values take five milliseconds to read, pick from and write. */
const MOST_MARKS = 16 * 1024

const marks = new Uint8Array(256).fill(1, 0x80)
for (const mark of '{[,\\') marks[mark.charCodeAt(0)] = 1

/**
 * Whether an answer is to be read off the event loop: a large one, or one that costs as much by what it is made of, which
 * is very many values, or characters that have to be looked at one by one.
 */
export const isDear = (bytes: Buffer): boolean =>
  bytes.length > HEAVY_BYTES || (bytes.length > LEAST_BYTES && marksIn(bytes) > MOST_MARKS)

/** Whatever begins a value, and bytes of characters that are no plain ones. */
function marksIn(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) count += marks[bytes[at]!]!
  return count
}
