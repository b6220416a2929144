import type { ToolContext } from '../../../src/engine/context.ts'
import { cutNotice } from '../../../src/engine/requests/pages.ts'
import type { Place } from '../../../src/engine/requests/template.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { MAX_PATH } from '../../families/files/longest-path.ts'
import { ByteTail } from './byte-tail.ts'
import { MAX_DEPTH, MAX_ENTRIES, type ZipEntry, zipEntries } from './zip-entries.ts'

type Forge = ToolContext['forge']

/** Bytes requested from the end of an archive. They hold the directory of some 40,000 files. */
const TAIL_BYTES = 4 * 1024 * 1024
/** Largest archive, in bytes, that is read completely to get its end, if the storage does not serve ranges. */
export const MAX_ARCHIVE_BYTES = 1024 ** 3
/** Most characters of all paths in a listing: as many as the largest result could hold. */
const MAX_LISTING_CHARS = 10_000_000
/** Characters of paths that are processed in one turn of the event loop. */
const STRETCH_CHARS = 256 * 1024

/** One file or directory, as the forge's own listing has it. */
interface ArtifactEntry {
  name: string
  /** The path. That of a directory ends with a slash. */
  path: string
  type: 'file' | 'directory'
  size?: number
  mode?: string
}

/**
 * Lists a job's archive by reading the directory at the archive's end. It is for forges before 18.8, which have no
 * listing of their own.
 * @param place of the archive's request
 * @param directory without slashes around it; empty for the root
 * @throws what ForgeClient.stream throws; CallProblem when there is no such directory
 */
export async function listArchive(forge: Forge, place: Place, directory: string, recursive: boolean) {
  const { bytes, size } = await endOfArchive(forge, place)
  const { entries, more, unlisted } = await zipEntries(bytes, size, forge)
  const listing = new Listing(directory === '' ? '' : `${directory}/`, recursive)
  const stretches = listing.take(entries)
  while (!(await forge.paced(() => stretches.next().done)));
  const { found, cut } = listing
  if (found.length === 0 && directory !== '' && unlisted === 0)
    throw new CallProblem(`The archive has no directory ${quotedName(directory)}.`)
  const notices: string[] = []
  if (more) notices.push(cutNotice(entries.length + unlisted))
  if (cut) notices.push(`Only ${found.length} entries are listed; the archive has more. List one directory.`)
  if (unlisted > 0) notices.push(unlistedNotice(unlisted))
  return { records: found, notices }
}

const unlistedNotice = (count: number): string =>
  `Entries left out, as their paths are longer than ${MAX_PATH} characters or deeper than ${MAX_DEPTH}: ${count}.`

function endOfArchive(forge: Forge, place: Place): Promise<{ bytes: Buffer; size: number }> {
  const request = { ...place, accept: '*/*', maxBytes: MAX_ARCHIVE_BYTES, range: `bytes=-${TAIL_BYTES}` }
  return forge.stream(request, async ({ status, headers, body }) => {
    const tail = new ByteTail(TAIL_BYTES)
    for await (const chunk of body(tail)) tail.push(chunk)
    const size = status === 206 ? sizeOf(headers['content-range']) : tail.total
    return { bytes: tail.bytes(), size }
  })
}

/** The size of the whole file, from the Content-Range of a part (RFC 9110 section 14.4). */
function sizeOf(range: unknown): number {
  const size = /^bytes \d+-\d+\/(\d{1,15})$/.exec(String(range))?.[1]
  if (size === undefined)
    throw new CallProblem('The archive cannot be listed: the forge sent no size with it.')
  return Number(size)
}

/**
 * The entries in a directory, or below it. Directories without an entry of their own are added. A few entries can imply
 * many directories, so the limit counts what is listed, not what was read.
 */
class Listing {
  /** Whether the archive has more entries than are listed. */
  cut = false
  readonly #directory: string
  readonly #recursive: boolean
  readonly #found = new Map<string, ArtifactEntry>()

  constructor(directory: string, recursive: boolean) {
    this.#directory = directory
    this.#recursive = recursive
  }

  get found(): ArtifactEntry[] {
    return [...this.#found.values()]
  }

  /** Adds entries. It yields after each stretch of characters. */
  *take(entries: readonly ZipEntry[]): Generator<void> {
    let room = MAX_LISTING_CHARS
    let stretch = 0
    for (const entry of entries) {
      const shown = this.#shownOf(entry)
      const chars = shown.reduce((sum, { path }) => sum + path.length, 0)
      room -= chars
      this.cut = room < 0 || this.#found.size + shown.length > MAX_ENTRIES
      if (this.cut) return
      for (const one of shown) this.#found.set(one.path, one)
      stretch += chars + entry.path.length
      if (stretch <= STRETCH_CHARS) continue
      yield
      stretch = 0
    }
  }

  #shownOf(entry: ZipEntry): readonly ArtifactEntry[] {
    const directory = this.#directory
    if (!entry.path.startsWith(directory) || entry.path === directory) return []
    const lineage = this.#recursive ? lineageOf(entry, directory, this.#found) : [topOf(entry, directory)]
    return lineage.filter(({ path }) => path === entry.path || !this.#found.has(path))
  }
}

/** What a directory lists for an entry below it: the entry itself, or the first directory on the way to it. */
function topOf(entry: ZipEntry, directory: string): ArtifactEntry {
  const slash = entry.path.indexOf('/', directory.length)
  return slash === -1 || slash === entry.path.length - 1
    ? itself(entry, directory.length)
    : folderOf(entry.path.slice(0, slash + 1))
}

/**
 * The directories between a directory and an entry below it, then the entry. The walk goes up from the entry and stops
 * at the first known directory, as those above it are known too.
 */
function lineageOf(entry: ZipEntry, directory: string, known: ReadonlyMap<string, unknown>) {
  const end = entry.path.length - (entry.path.endsWith('/') ? 2 : 1)
  const lineage: ArtifactEntry[] = []
  let slash = entry.path.lastIndexOf('/', end)
  lineage.push(itself(entry, Math.max(directory.length, slash + 1)))
  for (; slash >= directory.length; slash = entry.path.lastIndexOf('/', slash - 1)) {
    const path = entry.path.slice(0, slash + 1)
    if (known.has(path)) break
    lineage.push(folderOf(path))
    if (slash === 0) break
  }
  return lineage.reverse()
}

const folderOf = (path: string): ArtifactEntry => ({
  name: path.slice(path.lastIndexOf('/', path.length - 2) + 1, -1),
  path,
  type: 'directory'
})

/**
 * An entry as it is listed.
 * @param from index in the path at which the entry's name begins
 */
function itself({ path, size, mode }: ZipEntry, from: number): ArtifactEntry {
  const folder = path.endsWith('/')
  const about = { name: path.slice(from, folder ? -1 : undefined), path, ...(mode !== undefined && { mode }) }
  return folder ? { ...about, type: 'directory' } : { ...about, type: 'file', size }
}
