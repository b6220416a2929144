/** Answers of more bytes than this are large. Pages of a hundred records are smaller. */
export const LARGE_ANSWER_BYTES = 256 * 1024

/** Up to this size, in bytes, an answer is cheap to read whatever it contains. */
export const CHEAP_ANSWER_BYTES = 32 * 1024

/**
 * Most marks of an answer that is read on the event loop (marksIn). A page of a hundred records has fewer. Reading this
 * many values, selecting from them and writing them takes five milliseconds.
 */
const MAX_MARKS = 16 * 1024

const marks = new Uint8Array(256).fill(1, 0x80)
for (const mark of '{[,\\') marks[mark.charCodeAt(0)] = 1

/**
 * Whether an answer must be read off the event loop: because it is large, or because its content costs as much to read,
 * with very many values or with characters that have to be processed one by one.
 */
export const isLargeAnswer = (bytes: Uint8Array): boolean =>
  bytes.length > LARGE_ANSWER_BYTES || (bytes.length > CHEAP_ANSWER_BYTES && marksIn(bytes) > MAX_MARKS)

/** Counts the characters that begin a value, and the bytes of characters that need decoding. */
function marksIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) count += marks[bytes[at]!]!
  return count
}
