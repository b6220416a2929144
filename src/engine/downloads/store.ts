import { hash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, opendir, readdir, realpath, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { FairQueue } from '../../fairness/fair-queue.ts'
import { isArchive, PART } from './archive-name.ts'
import { DownloadFolder, type OnDiskTrouble } from './folder.ts'
import type { OnDisk } from './full-disk.ts'
import { DownloadLedger, type DownloadLimits, type Found } from './ledger.ts'

export interface DownloadPlace {
  /** FORGE_DOWNLOAD_DIR; empty means the working directory. */
  readonly root: string
  /** Limits, if callers share the folder; without them it is one person's own. */
  readonly limits: DownloadLimits | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onTrouble?: OnDiskTrouble
  /** Called when the disk was full, and an older file made room. */
  readonly onFull?: OnDiskTrouble
}

/** No download takes this long, in milliseconds, so an incomplete file of this age was left behind. */
const PART_MS = 600_000

/** As nameFor makes them. */
export const callersFolder = /^([0-9a-f]{16})(?:-([0-9a-f]{16}))?$/

const digestOf = (text: string): string =>
  hash('sha256', `forge-tool-server downloads\n${text}`, 'hex').slice(0, 16)

/** The download folder: each caller has a folder in it, within limits, and no file is kept for ever. */
export class DownloadStore {
  readonly #place: DownloadPlace
  readonly #ledger: DownloadLedger | undefined
  /** When none of its own files was begun yet. */
  readonly #started: number
  /**
   * What is done on the disk, one piece at a time: all others who look up names, read certificates or unpack answers share
   * Node's few threads with it, and a slow disk would hold every one.
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
   * together, and tells for which address they count.
   * @param from as of `of`
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
   * @returns how many files were removed meanwhile
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
        // A part that an earlier process has left takes room as well; one of this process counts already.
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
    // Who waits for room does not wait for the turns of those who have most.
    const turn = this.#turnsOf('')
    const root = await turn(() => realpath(this.#place.root))
    const isOfCaller = (folder: string) => callersFolder.test(relative(root, folder).split(sep, 1)[0]!)
    let folder = dirname(path)
    // It may have been replaced by a link since the file was found.
    const found = folder
    if (!isOfCaller(found) || (await turn(() => realpath(found)).catch(() => undefined)) !== found) return
    await turn(() => rm(path, { force: true }))
    this.#removed++
    // Stops at the first folder that is not empty.
    while (isOfCaller(folder) && (await turn(() => removed(folder)))) folder = dirname(folder)
  }

  /** Has work on the disk done when it has its turn. @param from as of `of` */
  #turnsOf(caller: string, from?: string): OnDisk {
    return work => this.#turns.run({ caller, from, signal: undefined }, work)
  }
}

/** For whom the files in a caller's folder count. */
function holdersIn(name: string) {
  const [, owner, from] = callersFolder.exec(name)!
  return { name, owner: owner!, from }
}

const removed = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false
  )

/** Whether nothing is there any more: what cannot be looked at may be. */
const isGone = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR'
  )

interface Archive extends Pick<Stats, 'size' | 'mtimeMs'> {
  readonly path: string
}

/**
 * Every archive in a folder and in those below it; links are neither files nor folders here. Of a folder that goes
 * meanwhile, or cannot be read, what is known so far is given: callers make and remove folders at any time.
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
      // Nothing below it is taken for gone: what was kept there is looked for by its path.
    }
}
