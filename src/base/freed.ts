/**
 * Gives the memory of bytes back at once. V8 counts buffers loosely: of those that it alone would free, a hundred
 * megabytes may have gathered before it looks. The bytes must not be used afterwards, by native code neither.
 * @param bytes of which nobody else has a view; those that share their memory with others are left alone
 */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
