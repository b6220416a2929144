import { MIB } from '../../base/units.ts'
import { SharedRoom } from '../../collections/shared-room.ts'
import { CallProblem } from '../../results/problem.ts'

/** The limits of the download folder. */
export interface DownloadLimits {
  /** Bytes of one caller. */
  readonly caller: number
  /** Bytes of all callers together. */
  readonly all: number
  /** Milliseconds after which a file is removed. */
  readonly keepMs: number
}

/** A finished file. */
interface Kept {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** When it was finished, in milliseconds since 1970. */
  readonly since: number
}

/** A file that was found in the folder, and the caller it counts for. */
export interface Found extends Kept {
  readonly owner: string
  /** Number of folders on the way to it. */
  readonly folders?: number
  /** The caller's address, if it is known. */
  readonly from?: string | undefined
}

/** What a full disk has none of. */
export type Lacking = 'bytes' | 'inodes'

/** A file that is being written. */
export interface Writing {
  /** Announces its new size; resolves when there is room. @throws CallProblem if there is no room */
  grow(size: number): Promise<void>
  /**
   * Makes room on a disk that is full before the limits are reached: the address with the most bytes or inodes loses
   * its oldest file.
   * @returns whether another file was removed, and not this one
   */
  makeRoom(lacking: Lacking): Promise<boolean>
  /**
   * Records the finished file.
   * @throws CallProblem if it must be removed at once, because it had to make room meanwhile
   */
  keep(kept: Kept): void
  /** Abandons a file that is not kept; further calls do nothing. */
  leave(): void
}

/** Most folders on the way to a file: the caller's own, and those that the caller requests. */
export const MAX_FOLDERS = 11

/** Bytes of a folder on the disk. They count with each file below the folder, as does its inode. */
const FOLDER_BYTES = 4096

/**
 * The places of a file: one among the files of its caller, and two among those of its address, for its bytes and its
 * inodes.
 */
interface Held {
  growTo(steps: number): void
  touch(): void
  leave(): void
}

/** File sizes are rounded up to this: very many small files cost a disk more than their bytes. */
const STEP_BYTES = MIB

/**
 * Tracks how much each caller has in the download folder, finished or still being written, and removes files if it is
 * too much. A caller over its limit loses its oldest file. If the total is exceeded, the address whose callers have the
 * most loses its oldest file. So nobody loses files because of another address, even if that one pretends to be many
 * callers.
 */
export class DownloadLedger {
  readonly #limits: DownloadLimits
  readonly #remove: (path: string) => Promise<void>
  /** In steps of STEP_BYTES, like the next. */
  readonly #callers: SharedRoom
  readonly #addresses: SharedRoom
  /** Also of addresses, but without a limit of ours. */
  readonly #inodes = new SharedRoom({})
  /** Finished files by path. */
  readonly #kept = new Map<string, { readonly kept: Kept; readonly held: Held }>()
  /** Removals in progress, of files that have to make room. */
  readonly #going: Promise<void>[] = []

  /** @param remove removes the file at a path */
  constructor(limits: DownloadLimits, remove: (path: string) => Promise<void>) {
    this.#limits = limits
    this.#remove = remove
    // An archive as large as a limit fits, however many folders are on the way to it.
    const roomOf = (bytes: number) => Math.floor(bytes / STEP_BYTES) + foldersOf(MAX_FOLDERS)
    this.#callers = new SharedRoom({ each: roomOf(limits.caller) })
    this.#addresses = new SharedRoom({ all: roomOf(limits.all) })
  }

  /**
   * Begins a file. It counts from its first byte.
   * @param from the caller's address, if it is known
   * @param onLost called when the file must make room; resolves when nothing is left of it
   * @param folders number of folders on the way to it, which also count from its first byte
   */
  begin(
    owner: string,
    from: string | undefined,
    onLost: (problem: CallProblem) => Promise<void>,
    folders = 0
  ): Writing {
    let kept: Kept | undefined
    let lost: CallProblem | undefined
    const held = this.#hold(owner, from ?? owner, folders, () => {
      if (kept !== undefined) return this.#lose(kept)
      lost = this.#problem('made room for newer ones')
      return onLost(lost)
    })
    const gone = async () => {
      const going = this.#going.splice(0)
      if (lost === undefined) await Promise.all(going)
      // Not awaited, because this call may itself be part of one.
      else void Promise.allSettled(going)
    }
    return {
      grow: async size => {
        if (!this.#canFit(size)) throw this.#problem('does not fit')
        held.growTo(stepsOf(size, folders))
        await gone()
        if (lost !== undefined) throw lost
      },
      makeRoom: async lacking => {
        if (!(lacking === 'inodes' ? this.#inodes : this.#addresses).dropOne()) return false
        await gone()
        return lost === undefined
      },
      keep: file => {
        if (lost !== undefined) throw lost
        kept = file
        // A search of the folder may have found the file since it was renamed.
        this.#kept.get(file.path)?.held.leave()
        this.#kept.set(file.path, { kept, held })
        held.touch()
      },
      leave: () => {
        if (kept === undefined) held.leave()
      }
    }
  }

  /**
   * Adds the files that were found in the folder, and removes those that are too old or too large.
   * @param isGone whether there is no file at a path. Only then the file is no longer counted, whatever a search has
   *   found
   * @param since when the search began: a file that was finished after that need not be in `found`
   */
  async adopt(
    found: readonly Found[],
    isGone: (path: string) => Promise<boolean>,
    since: number,
    now: number
  ): Promise<void> {
    const paths = new Set(found.map(({ path }) => path))
    for (const [path, entry] of this.#kept) {
      const isMissing = entry.kept.since < since && !paths.has(path) && (await isGone(path))
      // Another file may have been saved under this path meanwhile.
      if (isMissing && this.#kept.get(path) === entry) this.#forget(path)
    }
    const isOver = ({ since, size }: Kept) => since <= now - this.#limits.keepMs || !this.#canFit(size)
    for (const { path } of found.filter(isOver)) {
      this.#forget(path)
      this.#going.push(this.#remove(path))
    }
    // All files are added before any is removed, because a removed one would be found again.
    const unknown = found.filter(file => !isOver(file) && !this.#kept.has(file.path))
    // A file that was removed since it was found would be counted, but free nothing when room is needed.
    for (const file of unknown.sort((one, other) => one.since - other.since))
      if (!(await isGone(file.path)) && !this.#kept.has(file.path)) this.#take(file)
    await Promise.all(this.#going.splice(0))
  }

  #take(file: Found): void {
    const held = this.#hold(file.owner, file.from ?? file.owner, file.folders ?? 0, () => this.#lose(file))
    this.#kept.set(file.path, { kept: file, held })
    held.growTo(stepsOf(file.size, file.folders))
  }

  #lose({ path }: Kept): Promise<void> {
    this.#kept.delete(path)
    return this.#remove(path)
  }

  #forget(path: string): void {
    this.#kept.get(path)?.held.leave()
    this.#kept.delete(path)
  }

  /** @param onLost called once the file has left its places */
  #hold(owner: string, address: string, folders: number, onLost: () => Promise<void>): Held {
    const lose = () => {
      held.leave()
      this.#going.push(onLost())
    }
    const ofBytes = [this.#callers.take(owner, 0, lose), this.#addresses.take(address, 0, lose)]
    const places = [...ofBytes, this.#inodes.take(address, 1 + folders, lose)]
    let size = 0
    const held: Held = {
      growTo(steps) {
        const more = steps - size
        if (more <= 0) return
        size = steps
        for (const place of ofBytes) place.grow(more)
      },
      touch() {
        for (const place of places) place.touch()
      },
      leave() {
        for (const place of places) place.leave()
      }
    }
    return held
  }

  #canFit(size: number): boolean {
    return stepsOf(size) * STEP_BYTES <= Math.min(this.#limits.caller, this.#limits.all)
  }

  #problem(why: string): CallProblem {
    const [caller, all] = [this.#limits.caller, this.#limits.all].map(bytes => Math.floor(bytes / STEP_BYTES))
    return new CallProblem(
      `This server keeps ${caller} MiB of archives for a caller and ${all} MiB in all, and this one ${why}. Nothing was saved.`
    )
  }
}

/** The steps that a file counts for, with the folders on the way to it. */
const stepsOf = (size: number, folders = 0): number =>
  size === 0 ? 0 : Math.ceil(size / STEP_BYTES) + foldersOf(folders)

const foldersOf = (folders: number): number => (folders * FOLDER_BYTES) / STEP_BYTES
