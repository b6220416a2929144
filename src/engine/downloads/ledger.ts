import { CallProblem } from '../../results/problem.ts'

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
  /** The caller's folder. */
  readonly owner: string
  /** Bytes. */
  readonly size: number
  /** When it was finished, in milliseconds since 1970. */
  readonly since: number
}

/** A file that is being written. */
export interface Writing {
  readonly owner: string
  /** Bytes that are counted for it. */
  counted: number
}

/** Files count in steps of as much: very many small ones cost a disk more than their bytes. */
const STEP_BYTES = 1024 * 1024

const counted = (size: number): number => Math.max(1, Math.ceil(size / STEP_BYTES)) * STEP_BYTES

/**
 * Who has how much in the download folder, and which files go when there is too much: of a caller over its limit the
 * oldest, and of all together the oldest of the address whose callers have most, so that nobody loses what another one
 * fills, as however many callers. After a restart callers are told apart until they save something.
 */
export class DownloadLedger {
  readonly #limits: DownloadLimits
  /** By path, the oldest first. */
  #kept = new Map<string, Kept>()
  /** Bytes of each caller, of what is being written too. */
  readonly #held = new Map<string, number>()
  /** By caller: the address that it was last at. */
  readonly #places = new Map<string, string>()
  #all = 0

  constructor(limits: DownloadLimits) {
    this.#limits = limits
  }

  /**
   * Begins a file.
   * @param from the caller's address, where it is known
   * @returns it, and the paths of files that make room
   * @throws CallProblem when there is none
   */
  begin(owner: string, from?: string): { file: Writing; gone: readonly string[] } {
    const file = { owner, counted: 0 }
    const gone = this.grow(file, 0)
    if (from !== undefined) this.#places.set(owner, from)
    return { file, gone }
  }

  /** Says how large a file has become. @returns the paths of files that make room @throws CallProblem as begin */
  grow(file: Writing, size: number): readonly string[] {
    const more = counted(size) - file.counted
    if (more <= 0) return []
    const gone = this.#makeRoom(file.owner, more)
    if (gone === undefined) throw new CallProblem(this.#full())
    file.counted += more
    this.#count(file.owner, more)
    return gone
  }

  /** Ends the writing of a file. @param kept what it has become; undefined when nothing is left of it */
  end(file: Writing, kept?: Kept): void {
    this.#count(file.owner, -file.counted)
    if (kept !== undefined) this.#add(kept)
  }

  /**
   * Starts anew from what was found in the folder.
   * @param since when the search began: what was finished after that need not be in `found`
   * @returns the paths of files that are too old or too many
   */
  adopt(found: readonly Kept[], since: number, now: number): readonly string[] {
    const newer = [...this.#kept.values()].filter(kept => kept.since >= since)
    for (const kept of this.#kept.values()) this.#count(kept.owner, -counted(kept.size))
    this.#kept = new Map()
    const [old, rest]: [Kept[], Kept[]] = [[], []]
    for (const kept of [...found, ...newer]) (kept.since <= now - this.#limits.keepMs ? old : rest).push(kept)
    for (const kept of rest.sort((one, other) => one.since - other.since)) this.#add(kept)
    const tooMany = [...this.#held.keys()].flatMap(owner => this.#makeRoom(owner, 0) ?? [])
    for (const owner of this.#places.keys()) if (!this.#held.has(owner)) this.#places.delete(owner)
    return [...old.map(({ path }) => path), ...tooMany]
  }

  #add(kept: Kept): void {
    if (this.#kept.has(kept.path)) return
    this.#kept.set(kept.path, kept)
    this.#count(kept.owner, counted(kept.size))
  }

  #count(owner: string, bytes: number): void {
    this.#all += bytes
    const held = (this.#held.get(owner) ?? 0) + bytes
    if (held === 0) this.#held.delete(owner)
    else this.#held.set(owner, held)
  }

  /** Gives files up. @returns their paths; undefined, and nothing given up, when that would not be enough */
  #makeRoom(owner: string, more: number): string[] | undefined {
    const gone = new Set<Kept>()
    const held = new Map<string, number>()
    const heldBy = (one: string) => held.get(one) ?? this.#held.get(one) ?? 0
    let all = this.#all + more
    for (;;) {
      const own = heldBy(owner) + more > this.#limits.caller
      if (!own && all <= this.#limits.all) break
      const victim = this.#oldest(own ? [owner] : this.#byMost(heldBy), gone)
      if (victim === undefined) return undefined
      gone.add(victim)
      held.set(victim.owner, heldBy(victim.owner) - counted(victim.size))
      all -= counted(victim.size)
    }
    for (const kept of gone) {
      this.#kept.delete(kept.path)
      this.#count(kept.owner, -counted(kept.size))
    }
    return [...gone].map(({ path }) => path)
  }

  /** The oldest file of the first of the callers who has one left. */
  #oldest(owners: readonly string[], gone: ReadonlySet<Kept>): Kept | undefined {
    for (const owner of owners)
      for (const kept of this.#kept.values()) if (kept.owner === owner && !gone.has(kept)) return kept
    return undefined
  }

  /** Callers, those of the address that has most first, and of them who has most. */
  #byMost(heldBy: (owner: string) => number): string[] {
    const placeOf = (owner: string) => this.#places.get(owner) ?? owner
    const places = new Map<string, number>()
    for (const owner of this.#held.keys())
      places.set(placeOf(owner), (places.get(placeOf(owner)) ?? 0) + heldBy(owner))
    const heldAt = (owner: string) => places.get(placeOf(owner)) ?? 0
    return [...this.#held.keys()].sort(
      (one, other) => heldAt(other) - heldAt(one) || heldBy(other) - heldBy(one)
    )
  }

  #full(): string {
    const [caller, all] = [this.#limits.caller, this.#limits.all].map(bytes =>
      Math.floor(bytes / 1024 / 1024)
    )
    return `This server keeps ${caller} MiB of archives for a caller and ${all} MiB in all, and this one does not fit. Nothing was saved.`
  }
}
