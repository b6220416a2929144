import { hash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, opendir, readdir, realpath, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { FairQueue } from '../../fairness/fair-queue.ts'
import { isArchive, PART } from './archive-name.ts'
import { DownloadFolder, type OnDiskTrouble } from './folder.ts'
import type { OnDisk } from './full-disk.ts'
import { DownloadLedger, type DownloadLimits, type Found } from './ledger.ts'

interface DownloadPlace {
  /** FORGE_DOWNLOAD_DIR; empty means the working directory. */
  readonly root: string
  /** Limits, if callers share the folder; undefined if it belongs to one person. */
  readonly limits: DownloadLimits | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onTrouble?: OnDiskTrouble
  /** Called when the disk was full and an older file was removed to make room. */
  readonly onFull?: OnDiskTrouble
}

/** No download takes this long, in milliseconds, so an incomplete file of this age was left behind. */
const PART_MS = 600_000

/** The names that nameFor makes. */
export const callersFolder = /^([0-9a-f]{16})(?:-([0-9a-f]{16}))?$/

const digestOf = (text: string): string =>
  hash('sha256', `forge-tool-server downloads\n${text}`, 'hex').slice(0, 16)

/** The download folder. Each caller has a folder in it, within limits, and no file is kept for ever. */
export class DownloadStore {
  readonly #place: DownloadPlace
  readonly #ledger: DownloadLedger | undefined
  /** When the process started. All of its own files are younger. */
  readonly #started: number
  /**
   * Runs work on the disk one piece at a time. Node has only a few threads, which name lookups, certificate reading and
   * decompression share, and a slow disk could block all of them.
   */
  readonly #turns = new FairQueue({ all: Number.POSITIVE_INFINITY, caller: Number.POSITIVE_INFINITY })
  #removed = 0

  constructor(place: DownloadPlace) {
    this.#place = place
    this.#started = place.now()
    this.#ledger = place.limits && new DownloadLedger(place.limits, path => this.#remove(path))
  }

  /**
   * The name of a caller's folder. It is the same on every replica and after a restart, so that the files stay
   * together. It also identifies the address that they count for.
   * @param from as in `of`
   */
  static nameFor(owner: string, from?: string): string {
    return from === undefined ? digestOf(owner) : `${digestOf(owner)}-${digestOf(from)}`
  }

  /**
   * The folder of one caller.
   * @param owner identifies the caller and its forge; only a digest of it is shown
   * @param from the caller's address, if it is known
   */
  of(owner: string, from?: string): DownloadFolder {
    const { root, now, onTrouble, onFull } = this.#place
    const turn = this.#turnsOf(owner, from)
    const place = { root, now, onTrouble, onFull, turn }
    const ledger = this.#ledger
    if (ledger === undefined) return new DownloadFolder(place)
    return new DownloadFolder({
      ...place,
      shared: { ledger, ...holdersIn(DownloadStore.nameFor(owner, from)) }
    })
  }

  /**
   * Removes files that were left behind, are too old or exceed the limits; called at start, and from time to time.
   * @returns the number of files removed meanwhile
   */
  async sweep(): Promise<number> {
    if (this.#ledger === undefined) return 0
    const before = this.#removed
    const since = this.#place.now()
    const root = await realpath(this.#place.root)
    const found: Found[] = []
    const parts: string[] = []
    for (const entry of await readdir(root, { withFileTypes: true })) {
      const { name } = entry
      if (!callersFolder.test(name) || !entry.isDirectory()) continue
      const { owner, from } = holdersIn(name)
      for await (const { path, size, mtimeMs } of archivesBelow(join(root, name))) {
        const isPart = path.endsWith(PART)
        const folders = relative(root, path).split(sep).length - 1
        if (isPart && mtimeMs < since - PART_MS) parts.push(path)
        // An incomplete file of an earlier process takes room as well; one of this process is counted already.
        else if (!isPart || mtimeMs < this.#started)
          found.push({ owner, from, path, size, since: mtimeMs, folders })
      }
    }
    await Promise.all(parts.map(path => this.#remove(path)))
    await this.#ledger.adopt(found, isGone, since, this.#place.now())
    return this.#removed - before
  }

  /** Removes a caller's file, and the folders that are then empty. */
  async #remove(path: string): Promise<void> {
    // Removals have a turn of their own, so that a caller who waits for room does not wait for the turns of those who
    // use most of it.
    const turn = this.#turnsOf('')
    const root = await turn(() => realpath(this.#place.root))
    const isOfCaller = (folder: string) => callersFolder.test(relative(root, folder).split(sep, 1)[0]!)
    let folder = dirname(path)
    // The folder may have been replaced by a link since the file was found.
    const found = folder
    if (!isOfCaller(found) || (await turn(() => realpath(found)).catch(() => undefined)) !== found) return
    await turn(() => rm(path, { force: true }))
    this.#removed++
    // Stops at the first folder that is not empty.
    while (isOfCaller(folder) && (await turn(() => removed(folder)))) folder = dirname(folder)
  }

  /** Runs work on the disk when it is the caller's turn. @param from as in `of` */
  #turnsOf(caller: string, from?: string): OnDisk {
    return work => this.#turns.run({ caller, from, signal: undefined }, work)
  }
}

/** The caller and address that the files in a caller's folder count for. */
function holdersIn(name: string) {
  const [, owner, from] = callersFolder.exec(name)!
  return { name, owner: owner!, from }
}

const removed = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false
  )

/** Whether nothing is at the path any more. If the path cannot be examined, something may be there. */
const isGone = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR'
  )

interface Archive extends Pick<Stats, 'size' | 'mtimeMs'> {
  readonly path: string
}

/**
 * Yields every archive in a folder and below it. Links count as neither files nor folders. If a folder disappears
 * meanwhile, or cannot be read, the archives known so far are yielded: callers create and remove folders at any time.
 */
async function* archivesBelow(folder: string): AsyncGenerator<Archive, undefined> {
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop())
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name)
        if (entry.isDirectory()) folders.push(path)
        if (!entry.isFile() || !isArchive(entry.name)) continue
        const stats = await lstat(path).catch(() => undefined)
        if (stats !== undefined) yield { path, size: stats.size, mtimeMs: stats.mtimeMs }
      }
    } catch {
      // Files below this folder do not count as gone: each kept file is looked up by its path.
    }
}
