import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** Most bytes of a file: a secret, or a handful of settings, has far fewer. */
const MAX_BYTES = 64 * 1024

/**
 * Reads the text of a file that a variable names.
 * @throws system errors; RangeError if it is not a small regular file, or is UTF-16
 */
export async function readSmallFile(path: string): Promise<string> {
  // A pipe or a device may never end, and without O_NONBLOCK even opening a pipe waits for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new RangeError(found.isDirectory() ? 'a folder' : 'a pipe or a device')
    if (found.size > MAX_BYTES) throw new RangeError(`more than ${MAX_BYTES} bytes`)
    const bytes = await file.readFile()
    if (isUtf16(bytes)) throw new RangeError('it looks like UTF-16: save it as UTF-8')
    return bytes.toString()
  } finally {
    await file.close()
  }
}

/**
 * Detects UTF-16 by its byte order mark, or by the zero byte in each Latin letter. PowerShell 5.1 writes such files
 * with `>`.
 */
const isUtf16 = (bytes: Buffer): boolean =>
  ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2)) || bytes.includes(0)
