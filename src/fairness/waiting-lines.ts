import { siteOf } from '../base/holders.ts'

/** The place of a waiting item: a name, and the rest of the path below it. */
interface Path {
  readonly name: string
  readonly below?: Path
}

/** Returns how many turns a name has in progress. */
type TurnsOf = (name: string) => number

/**
 * Waiting items by path. The names in a group are in order of their last turn. The items at the end of a path are in
 * order of arrival.
 */
class Group<T> {
  size = 0
  readonly #parts = new Map<string, Group<T> | Set<T>>()

  sizeOf({ name, below }: Path): number {
    const part = this.#parts.get(name)
    return part instanceof Group ? part.sizeOf(below!) : (part?.size ?? 0)
  }

  /** All items whose path ends with the given name. */
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

  /** @returns whether the item was waiting */
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

  /** The part with the most waiting items, if it has at least `least`; of equal parts the last one. */
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
 * Items that wait for a turn, by network (siteOf), holder, and part of a holder, such as the callers at an address.
 * Networks take turns; within each network its holders do, and within each holder its parts. So whoever has a network
 * of addresses gets no more turns through them, and cannot fill the queue for others.
 */
export class WaitingLines<T> {
  readonly #lines = new Group<T>()

  get size(): number {
    return this.#lines.size
  }

  /**
   * How many items a part of a holder has waiting.
   * @param part default: the holder has no parts
   */
  sizeOf(holder: string, part = holder): number {
    return this.#lines.sizeOf(pathOf(holder, part))
  }

  /** All items that wait under this name of a part, whoever their holders are. */
  ofPart(part: string): readonly T[] {
    return [...this.#lines.endingWith(part)]
  }

  /** After how many turns one more item of this part of a holder would have its own turn. */
  turnsBefore(holder: string, part = holder): number {
    return this.#lines.turnsBefore(pathOf(holder, part))
  }

  add(holder: string, one: T, part = holder): void {
    this.#lines.add(pathOf(holder, part), one)
  }

  /** Removes an item that no longer waits. Does nothing if the item is not there. */
  remove(holder: string, one: T, part = holder): void {
    this.#lines.remove(pathOf(holder, part), one)
  }

  /**
   * Takes out the next item. It is in the network with the fewest turns in progress, there at the holder with the
   * fewest, and there in the part whose last turn is the longest ago. The rest of that part, holder and network moves
   * behind the others.
   * @param turnsOf returns how many turns a network or a holder has in progress
   * @param fits returns whether a network with so many turns in progress may have one more
   */
  take(turnsOf: TurnsOf, fits?: (turns: number) => boolean): T | undefined {
    return this.#lines.take(turnsOf, fits)
  }

  /**
   * Finds the item to turn away so that one more of this part of a holder can wait: the last item of the longest part
   * of the longest holder in the longest network. Of equals the last one is chosen, whose turn is furthest away,
   * because an item at the front may have waited almost until its turn. Undefined if that item would be of this part
   * itself.
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
