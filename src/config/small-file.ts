import { readFile, stat } from 'node:fs/promises'

/** Most bytes of a file: a secret, or a handful of settings, has far fewer. */
const MAX_BYTES = 64 * 1024

/**
 * Reads the text of a file that a variable names. @throws system errors; RangeError if it is not a regular small file
 */
export async function readSmallFile(path: string): Promise<string> {
  const found = await stat(path)
  // A pipe or a device may never end, and a process that waits for it does not end either.
  if (!found.isFile()) throw new RangeError(found.isDirectory() ? 'a folder' : 'a pipe or a device')
  if (found.size > MAX_BYTES) throw new RangeError(`more than ${MAX_BYTES} bytes`)
  return readFile(path, 'utf8')
}
