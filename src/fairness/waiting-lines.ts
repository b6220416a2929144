import { siteOf } from '../base/holders.ts'

/** Where something waits: a name, and the one below it. */
interface Path {
  readonly name: string
  readonly below?: Path
}

/** How many turns a name has under way. */
type TurnsOf = (name: string) => number

/** What waits under names, these in order of their last turn: below the last of a path in order of arrival. */
class Group<T> {
  size = 0
  readonly #parts = new Map<string, Group<T> | Set<T>>()

  sizeOf({ name, below }: Path): number {
    const part = this.#parts.get(name)
    return part instanceof Group ? part.sizeOf(below!) : (part?.size ?? 0)
  }

  /** What waits below all paths that end with a name. */
  *endingWith(name: string): Iterable<T> {
    const own = this.#parts.get(name)
    if (own instanceof Set) yield* own
    else for (const part of this.#parts.values()) if (part instanceof Group) yield* part.endingWith(name)
  }

  turnsBefore({ name, below }: Path): number {
    const part = this.#parts.get(name)
    if (part === undefined) return this.#parts.size + 1
    return this.#parts.size * (part instanceof Group ? part.turnsBefore(below!) : part.size + 1)
  }

  add({ name, below }: Path, one: T): void {
    const part = this.#parts.get(name) ?? (below === undefined ? new Set() : new Group())
    this.#parts.set(name, part)
    if (part instanceof Group) part.add(below!, one)
    else part.add(one)
    this.size++
  }

  /** @returns whether it has waited */
  remove({ name, below }: Path, one: T): boolean {
    const part = this.#parts.get(name)
    if (part === undefined || !(part instanceof Group ? part.remove(below!, one) : part.delete(one)))
      return false
    if (part.size === 0) this.#parts.delete(name)
    this.size--
    return true
  }

  take(turnsOf: TurnsOf, fits?: (turns: number) => boolean): T | undefined {
    const name = fewestOf(this.#parts.keys(), turnsOf)
    const part = this.#parts.get(name)
    if (part === undefined || fits?.(turnsOf(name)) === false) return undefined
    const next = part instanceof Group ? part.take(turnsOf) : takeFirst(part)
    this.#parts.delete(name)
    if (part.size > 0) this.#parts.set(name, part)
    this.size--
    return next
  }

  displacedBy({ name, below }: Path): T | undefined {
    const own = this.#parts.get(name)
    const longest = this.#longest((own?.size ?? 0) + 2)
    if (longest !== undefined) return lastOf(longest)
    return own instanceof Group ? own.displacedBy(below!) : undefined
  }

  last(): T | undefined {
    return lastOf(this.#longest(1)!)
  }

  /** The longest part that has at least so much waiting; of equals the last one. */
  #longest(least: number): Group<T> | Set<T> | undefined {
    let longest: Group<T> | Set<T> | undefined
    let size = least
    for (const part of this.#parts.values()) {
      if (part.size < size) continue
      size = part.size
      longest = part
    }
    return longest
  }
}

/**
 * What waits for a turn, by line, holder and part of a holder, such as the callers at an address. Lines take turns, in
 * each of them its holders, and of each of these its parts: whoever has a network of addresses has no more turns by them,
 * and does not fill the queue for others.
 */
export class WaitingLines<T> {
  readonly #lines = new Group<T>()

  get size(): number {
    return this.#lines.size
  }

  /** How much a part of a holder has waiting. @param part default: the holder has none */
  sizeOf(holder: string, part = holder): number {
    return this.#lines.sizeOf(pathOf(holder, part))
  }

  /** What all parts of a name have waiting, whoever their holders are. */
  ofPart(part: string): readonly T[] {
    return [...this.#lines.endingWith(part)]
  }

  /** After how many turns one more of a part of a holder would have its own. */
  turnsBefore(holder: string, part = holder): number {
    return this.#lines.turnsBefore(pathOf(holder, part))
  }

  add(holder: string, one: T, part = holder): void {
    this.#lines.add(pathOf(holder, part), one)
  }

  /** Removes what no longer waits. If it has gone, nothing happens. */
  remove(holder: string, one: T, part = holder): void {
    this.#lines.remove(pathOf(holder, part), one)
  }

  /**
   * Takes out what is next: of the line with the fewest turns under way, in it of the holder with the fewest, and of that
   * of the part whose last turn is longest ago. The rest of that part, holder and line moves behind those of others.
   * @param turnsOf how many a line or holder has under way
   * @param fits whether a line with so many may have one more
   */
  take(turnsOf: TurnsOf, fits?: (turns: number) => boolean): T | undefined {
    return this.#lines.take(turnsOf, fits)
  }

  /**
   * What to turn away so that one more of this part of a holder can wait: the last one of the part with the most, of the
   * holder with the most, in the longest line. Of equals it is the one whose turn is furthest, as another may have waited
   * nearly to its own. Undefined if that is this part's, or would be.
   */
  displacedBy(holder: string, part = holder): T | undefined {
    return this.#lines.displacedBy(pathOf(holder, part))
  }
}

const pathOf = (holder: string, part: string): Path => ({
  name: siteOf(holder),
  below: { name: holder, below: { name: part } }
})

function takeFirst<T>(row: Set<T>): T {
  const [first] = row as Iterable<T> as [T]
  row.delete(first)
  return first
}

const lastOf = <T>(waiting: Group<T> | Set<T>): T | undefined =>
  waiting instanceof Group ? waiting.last() : [...waiting].at(-1)

function fewestOf(names: Iterable<string>, turnsOf: TurnsOf): string {
  let fewest = Number.POSITIVE_INFINITY
  let of = ''
  for (const name of names) {
    const turns = turnsOf(name)
    if (turns >= fewest) continue
    fewest = turns
    of = name
    if (turns === 0) break
  }
  return of
}
