import type { FileHandle } from 'node:fs/promises'
import type { OnDisk } from './full-disk.ts'
import type { Writing } from './ledger.ts'

/**
 * Writes bytes to a file as they arrive.
 * @param onDisk runs each write
 * @returns the number of bytes
 * @throws the system's error if the disk stays full or fails otherwise, and what `bytes` and `writing` throw
 */
export async function writeAll(
  file: Pick<FileHandle, 'write'>,
  bytes: AsyncIterable<Uint8Array>,
  writing: Pick<Writing, 'grow'>,
  onDisk: OnDisk
): Promise<number> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    await writing.grow(size)
    for (let at = 0; at < chunk.length; ) at += (await onDisk(() => file.write(chunk, at))).bytesWritten
  }
  return size
}
