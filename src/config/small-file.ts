import { readFile, stat } from 'node:fs/promises'

/** A secret, or a handful of settings, has far fewer. */
const MAX_BYTES = 64 * 1024

/** The text of a file that a variable names. @throws system errors, RangeError for what is no such file */
export async function readSmallFile(path: string): Promise<string> {
  const found = await stat(path)
  // Of a pipe or a device the end may never come, nor does a process end that waits for it.
  if (!found.isFile()) throw new RangeError(found.isDirectory() ? 'a folder' : 'a pipe or a device')
  if (found.size > MAX_BYTES) throw new RangeError(`more than ${MAX_BYTES} bytes`)
  return readFile(path, 'utf8')
}
