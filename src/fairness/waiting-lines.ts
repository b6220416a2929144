import { siteOf } from '../collections/network.ts'

/** Those who wait as one (siteOf). */
interface Line<T> {
  size: number
  /** What each holder has waiting, in order of arrival, holders in order of their last turn. */
  readonly holders: Map<string, Set<T>>
}

/**
 * What waits for a turn, by line and holder. Lines take turns, and in each of them its holders: whoever has a network of
 * addresses has no more turns by them, and does not fill the queue for others.
 */
export class WaitingLines<T> {
  /** Lines in order of their last turn. */
  readonly #lines = new Map<string, Line<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** What a holder has waiting. */
  of(holder: string): Iterable<T> {
    return this.#lines.get(siteOf(holder))?.holders.get(holder) ?? []
  }

  /** After how many turns one more of a holder would have its own. */
  turnsBefore(holder: string): number {
    const line = this.#lines.get(siteOf(holder))
    const own = line?.holders.get(holder)?.size ?? 0
    const holders = (line?.holders.size ?? 0) + (own === 0 ? 1 : 0)
    const lines = this.#lines.size + (line === undefined ? 1 : 0)
    return (own + 1) * holders * lines
  }

  add(holder: string, one: T): void {
    const name = siteOf(holder)
    const line = this.#lines.get(name) ?? { size: 0, holders: new Map() }
    this.#lines.set(name, line)
    line.holders.set(holder, (line.holders.get(holder) ?? new Set()).add(one))
    line.size++
    this.#size++
  }

  /** Removes what no longer waits. If it has gone, nothing happens. */
  remove(holder: string, one: T): void {
    const name = siteOf(holder)
    const line = this.#lines.get(name)
    const own = line?.holders.get(holder)
    if (line === undefined || !own?.delete(one)) return
    if (own.size === 0) line.holders.delete(holder)
    line.size--
    this.#size--
    if (line.size === 0) this.#lines.delete(name)
  }

  /**
   * Takes out what is next: of the line with the fewest turns under way, and in it of the holder with the fewest. The
   * rest of that holder, and of that line, moves behind those of others.
   * @param turnsOf how many a line or holder has under way
   * @param fits whether a line with so many may have one more
   */
  take(turnsOf: (name: string) => number, fits = (_turns: number) => true): T | undefined {
    const name = fewestOf(this.#lines.keys(), turnsOf)
    const line = this.#lines.get(name)
    if (line === undefined || !fits(turnsOf(name))) return undefined
    const holder = fewestOf(line.holders.keys(), turnsOf)
    const own = line.holders.get(holder)!
    const [next] = own as Iterable<T> as [T]
    line.holders.delete(holder)
    line.holders.set(holder, own)
    this.#lines.delete(name)
    this.#lines.set(name, line)
    this.remove(holder, next)
    return next
  }

  /**
   * What to turn away so that one more of this holder can wait: the last one of the holder with the most in the longest
   * line. Of equals it is the one whose turn is furthest, as another may have waited nearly to its own. Undefined if that is
   * this holder's, or would be.
   */
  displacedBy(holder: string): T | undefined {
    const own = this.#lines.get(siteOf(holder))
    let longest: Line<T> | undefined
    let least = (own?.size ?? 0) + 2
    for (const line of this.#lines.values()) {
      if (line.size < least) continue
      least = line.size
      longest = line
    }
    if (longest !== undefined) return lastOfMost(longest, 0)
    return own && lastOfMost(own, (own.holders.get(holder)?.size ?? 0) + 1)
  }
}

function fewestOf(names: Iterable<string>, turnsOf: (name: string) => number): string {
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

/** The last one of the holder with the most, if these are more than so many. */
function lastOfMost<T>({ holders }: Line<T>, most: number): T | undefined {
  let longest: Iterable<T> = []
  let least = most + 1
  for (const own of holders.values()) {
    if (own.size < least) continue
    least = own.size
    longest = own
  }
  return [...longest].at(-1)
}
