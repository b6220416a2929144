import { CallProblem } from '../../results/problem.ts'
import { SharedRoom } from '../../shared-room.ts'

/** How much may lie in the download folder. */
export interface DownloadLimits {
  /** Bytes of one caller. */
  readonly caller: number
  /** Bytes of all callers together. */
  readonly all: number
  /** Milliseconds after which a file goes. */
  readonly keepMs: number
}

/** A finished file. */
export interface Kept {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** When it was finished, in milliseconds since 1970. */
  readonly since: number
}

/** One that was found, of which only its caller is known. */
export interface Found extends Kept {
  /** The caller's folder. */
  readonly owner: string
}

/** A file that is being written. */
export interface Writing {
  /** Says how large it becomes; comes back when there is room. @throws CallProblem when there is none for it */
  grow(size: number): Promise<void>
  /** Says what it has become. @throws CallProblem when it is to go at once, having made room meanwhile */
  keep(kept: Kept): void
  /** Gives up what is not kept; again is nothing. */
  leave(): void
}

/** A file has a place among those of its caller and one among those of its address. */
interface Held {
  growTo(steps: number): void
  touch(): void
  leave(): void
}

/** Files count in steps of as much: very many small ones cost a disk more than their bytes. */
const STEP_BYTES = 1024 * 1024

/**
 * Who has how much in the download folder, whole or still being written, and what goes when there is too much: of a
 * caller over its limit the oldest, and of all together the oldest of the address whose callers have most, so that
 * nobody loses what another one fills, as however many callers. What was there before a restart counts for its caller.
 */
export class DownloadLedger {
  readonly #limits: DownloadLimits
  readonly #remove: (path: string) => Promise<void>
  /** In steps, as the next. */
  readonly #callers: SharedRoom
  readonly #addresses: SharedRoom
  /** By path. */
  readonly #kept = new Map<string, { readonly kept: Kept; readonly held: Held }>()
  /** What has made room, and is on its way out of the folder. */
  readonly #going: Promise<void>[] = []

  /** @param remove removes the file at a path */
  constructor(limits: DownloadLimits, remove: (path: string) => Promise<void>) {
    this.#limits = limits
    this.#remove = remove
    this.#callers = new SharedRoom({ each: Math.floor(limits.caller / STEP_BYTES) })
    this.#addresses = new SharedRoom({ all: Math.floor(limits.all / STEP_BYTES) })
  }

  /**
   * Begins a file, which counts from its first byte.
   * @param from the caller's address, where it is known
   * @param onLost called when it has to make room; comes back when nothing is left of it
   */
  begin(owner: string, from: string | undefined, onLost: (problem: CallProblem) => Promise<void>): Writing {
    let kept: Kept | undefined
    let lost: CallProblem | undefined
    const held = this.#hold(owner, from ?? owner, () => {
      if (kept !== undefined) return this.#lose(kept)
      lost = this.#problem('made room for newer ones')
      return onLost(lost)
    })
    return {
      grow: async size => {
        if (!this.#canFit(size)) throw this.#problem('does not fit')
        held.growTo(stepsOf(size))
        const going = this.#going.splice(0)
        if (lost === undefined) return void (await Promise.all(going))
        // What goes by it is not waited for, which itself may be a part of that.
        void Promise.allSettled(going)
        throw lost
      },
      keep: file => {
        if (lost !== undefined) throw lost
        kept = file
        // It may have been found since it has its name.
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
   * Takes in what was found in the folder, and removes what is too old or too much.
   * @param since when the search began: what was finished after that need not be in `found`
   */
  async adopt(found: readonly Found[], since: number, now: number): Promise<void> {
    const paths = new Set(found.map(({ path }) => path))
    for (const { kept } of this.#kept.values())
      if (kept.since < since && !paths.has(kept.path)) this.#forget(kept.path)
    const isOver = ({ since, size }: Kept) => since <= now - this.#limits.keepMs || !this.#canFit(size)
    for (const { path } of found.filter(isOver)) {
      this.#forget(path)
      this.#going.push(this.#remove(path))
    }
    // All of them before one makes room, and would be found anew.
    const unknown = found.filter(file => !isOver(file) && !this.#kept.has(file.path))
    for (const file of unknown.sort((one, other) => one.since - other.since)) this.#take(file)
    await Promise.all(this.#going.splice(0))
  }

  #take(file: Found): void {
    const held = this.#hold(file.owner, file.owner, () => this.#lose(file))
    this.#kept.set(file.path, { kept: file, held })
    held.growTo(stepsOf(file.size))
  }

  #lose({ path }: Kept): Promise<void> {
    this.#kept.delete(path)
    return this.#remove(path)
  }

  #forget(path: string): void {
    this.#kept.get(path)?.held.leave()
    this.#kept.delete(path)
  }

  /** @param onLost called once it has left */
  #hold(owner: string, address: string, onLost: () => Promise<void>): Held {
    const lose = () => {
      held.leave()
      this.#going.push(onLost())
    }
    const places = [this.#callers.take(owner, 0, lose), this.#addresses.take(address, 0, lose)]
    let size = 0
    const held: Held = {
      growTo(steps) {
        const more = steps - size
        if (more <= 0) return
        size = steps
        for (const place of places) place.grow(more)
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

const stepsOf = (size: number): number => Math.ceil(size / STEP_BYTES)
