import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import type { ToolContext } from '../../../src/engine/context.ts'
import { textBytes } from '../../../src/engine/files/kept-text.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { quoted } from '../../../src/results/visible.ts'
import { MAX_PATH } from '../../families/files/longest-path.ts'

/** Most entries of a zip archive that are read. More would not fit a result. */
export const MAX_ENTRIES = 20_000
/** Deepest path that is listed. A path that consists of slashes would mean thousands of directories. */
export const MAX_DEPTH = 100

/** Memory of an entry besides its path, and the number of entries after which their memory is reported. */
const ENTRY_BYTES = 200
const TOLD_AT_ONCE = 500

/** Most reads and bytes in one turn of the event loop. A single extra field of 64 KiB may hold thousands of values. */
const READS_AT_ONCE = 16
const BYTES_AT_ONCE = 4 * 1024

export interface ZipEntry {
  /** The path. That of a directory ends with a slash. */
  readonly path: string
  /** Size in bytes, unpacked. */
  readonly size: number
  /** The mode in octal, as the forge writes it; undefined when the archive was not made on Unix. */
  readonly mode: string | undefined
}

/**
 * Reads the central directory of a zip archive from the archive's end.
 * @param tail the archive's last bytes
 * @param size of the whole archive, in bytes
 * @param forge paces the reading and counts its memory; an error of `keep` ends the reading
 * @returns the entries, whether there are more, and how many were skipped because of their paths
 * @throws CallProblem if it is not an archive, or if its directory begins before `tail`
 */
export async function zipEntries(
  tail: Buffer,
  size: number,
  forge: Pick<ToolContext['forge'], 'keep' | 'paced'>
): Promise<{ entries: ZipEntry[]; more: boolean; unlisted: number }> {
  const entries: ZipEntry[] = []
  let unlisted = 0
  let taken = 0
  for await (const entry of eachEntry(new TailReader(tail, size, forge), size)) {
    if (entries.length + unlisted === MAX_ENTRIES) return { entries, more: true, unlisted }
    if (isListable(entry.fileName)) {
      entries.push(read(entry))
      taken += ENTRY_BYTES + textBytes(entry.fileName)
    } else unlisted++
    if ((entries.length + unlisted) % TOLD_AT_ONCE > 0) continue
    forge.keep(taken)
    taken = 0
  }
  return { entries, more: false, unlisted }
}

async function* eachEntry(reader: TailReader, size: number): AsyncGenerator<Entry> {
  try {
    const archive = await fromRandomAccessReaderPromise(reader, size)
    yield* archive.eachEntry()
  } catch (error) {
    if (error instanceof CallProblem) throw error
    throw new CallProblem(`The archive cannot be listed: ${quoted((error as Error).message)}.`)
  }
}

function isListable(path: string): boolean {
  // An archive may have names of up to 65,535 bytes.
  if (path.length > MAX_PATH) return false
  let depth = 1
  // The last character does not count: it may be the directory's own slash.
  for (let at = path.indexOf('/'); at !== -1 && at < path.length - 1; at = path.indexOf('/', at + 1)) depth++
  return depth <= MAX_DEPTH
}

/** Reads the fields of an entry. If the entry was made on Unix, the upper half of its attributes is the mode. */
function read({ fileName, uncompressedSize, externalFileAttributes }: Entry): ZipEntry {
  const mode = externalFileAttributes >>> 16
  return {
    path: fileName,
    size: uncompressedSize,
    mode: mode === 0 ? undefined : mode.toString(8).padStart(6, '0')
  }
}

/** Gives a zip reader access to the end of an archive. */
class TailReader extends RandomAccessReader {
  readonly #tail: Buffer
  readonly #start: number
  readonly #forge: Pick<ToolContext['forge'], 'paced'>
  #reads = 0
  #bytes = 0

  constructor(tail: Buffer, size: number, forge: Pick<ToolContext['forge'], 'paced'>) {
    super()
    this.#tail = tail
    this.#start = size - tail.length
    this.#forge = forge
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void
  ): void {
    const from = position - this.#start
    const beyond = from < 0 || from + length > this.#tail.length
    if (!beyond) this.#tail.copy(buffer, offset, from, from + length)
    const problem = beyond
      ? new CallProblem('The archive cannot be listed: it has too many files, or is damaged.')
      : null
    this.#reads++
    this.#bytes += length
    // Deferred, because direct callbacks for thousands of entries would nest as deeply.
    if (this.#reads <= READS_AT_ONCE && this.#bytes <= BYTES_AT_ONCE) queueMicrotask(() => callback(problem))
    else {
      this.#reads = 0
      this.#bytes = 0
      Promise.resolve(this.#forge.paced(() => callback(problem))).catch(callback)
    }
  }
}
