import type { ToolContext } from '../../src/catalog/context.ts'
import { cutNotice } from '../../src/catalog/pages.ts'
import { CallProblem } from '../../src/catalog/problem.ts'
import { ByteTail } from './byte-tail.ts'
import { type ZipEntry, zipEntries } from './zip-entries.ts'

type Forge = ToolContext['forge']

/** The end of an archive that is asked for: room for the directory of some 40,000 files. */
const TAIL_BYTES = 4 * 1024 * 1024
/** Largest archive read through for its end, where storage does not give parts. */
export const MAX_ARCHIVE_BYTES = 1024 ** 3

/** One file or directory, as the forge's own listing has it. */
export interface ArtifactEntry {
  name: string
  /** Of a directory: with a slash at its end. */
  path: string
  type: 'file' | 'directory'
  size?: number
  mode?: string
}

/**
 * What lies in a job's archive, from the directory at the archive's end: for forges before 18.8, which have
 * no listing of their own.
 * @param path of the archive's request @param directory without slashes around it; empty for the root
 * @throws what ForgeClient.stream throws, CallProblem when there is no such directory
 */
export async function listArchive(forge: Forge, path: string, directory: string, recursive: boolean) {
  const { bytes, size } = await endOfArchive(forge, path)
  const { entries, more } = await zipEntries(bytes, size)
  const found = entriesBelow(entries, directory === '' ? '' : `${directory}/`, recursive)
  if (found.length === 0 && directory !== '')
    throw new CallProblem(`The archive has no directory ${JSON.stringify(directory)}.`)
  return { records: found, notices: more ? [cutNotice(entries.length)] : [] }
}

function endOfArchive(forge: Forge, path: string): Promise<{ bytes: Buffer; size: number }> {
  const request = { path, accept: '*/*', maxBytes: MAX_ARCHIVE_BYTES, range: `bytes=-${TAIL_BYTES}` }
  return forge.stream(request, async ({ status, headers, body }) => {
    const tail = new ByteTail(TAIL_BYTES)
    for await (const chunk of body) tail.push(chunk)
    const size = status === 206 ? sizeOf(headers['content-range']) : tail.total
    return { bytes: tail.bytes(), size }
  })
}

/** The size of the whole, of which a part was sent (RFC 9110 section 14.4). */
function sizeOf(range: unknown): number {
  const size = /^bytes \d+-\d+\/(\d{1,15})$/.exec(String(range))?.[1]
  if (size === undefined)
    throw new CallProblem('The archive cannot be listed: the forge sent no size with it.')
  return Number(size)
}

/** The entries in a directory, or below it; directories that have no entry of their own are made up. */
function entriesBelow(entries: readonly ZipEntry[], directory: string, recursive: boolean): ArtifactEntry[] {
  const found = new Map<string, ArtifactEntry>()
  for (const entry of entries) {
    const inside = entry.path.startsWith(directory) && entry.path !== directory
    const lineage = inside ? lineageOf(entry, directory) : []
    for (const shown of recursive ? lineage : lineage.slice(0, 1))
      if (shown.path === entry.path || !found.has(shown.path)) found.set(shown.path, shown)
  }
  return [...found.values()]
}

/** The directories between one and an entry below it, then the entry. */
function lineageOf(entry: ZipEntry, directory: string): ArtifactEntry[] {
  const parts = entry.path.slice(directory.length).replace(/\/$/, '').split('/')
  return parts.map((name, at) =>
    at === parts.length - 1
      ? itself(entry, name)
      : { name, path: `${directory}${parts.slice(0, at + 1).join('/')}/`, type: 'directory' }
  )
}

function itself({ path, size, mode }: ZipEntry, name: string): ArtifactEntry {
  const about = { name, path, ...(mode !== undefined && { mode }) }
  return path.endsWith('/') ? { ...about, type: 'directory' } : { ...about, type: 'file', size }
}
