import type { FileHandle } from 'node:fs/promises'
import type { Writing } from './ledger.ts'

/**
 * Writes bytes to a file as they arrive. Where the disk has less room than the limits allow, older files make it.
 * @param onFull called with the error each time one has
 * @returns how many bytes there were
 * @throws the system's error if the disk stays full, or fails otherwise, and what `bytes` and `writing` throw
 */
export async function writeAll(
  file: Pick<FileHandle, 'write'>,
  bytes: AsyncIterable<Uint8Array>,
  writing: Pick<Writing, 'grow' | 'makeRoom'>,
  onFull: (error: NodeJS.ErrnoException) => void = () => {}
): Promise<number> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    await writing.grow(size)
    // Room that helps nothing is taken by others: all archives would go without one being saved.
    let helped = true
    for (let at = 0; at < chunk.length; )
      try {
        at += (await file.write(chunk, at)).bytesWritten
        helped = true
      } catch (error) {
        const fault = error as NodeJS.ErrnoException
        if (!isFull(fault) || !helped || !(await writing.makeRoom())) throw fault
        helped = false
        onFull(fault)
      }
  }
  return size
}

/** Whether a disk has no room left, or none for this process. */
export const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT'
