import { siteOf } from '../../collections/network.ts'

export interface WaitingCall {
  admit(): void
  turnAway(): void
}

/** Who waits as one (siteOf). */
interface Line {
  size: number
  /** Each caller's calls in order of arrival, callers in order of their last turn. */
  readonly callers: Map<string, Set<WaitingCall>>
}

/**
 * Calls that wait for a turn, by line and caller. Lines take turns, and in each of them its callers: whoever has a
 * network of addresses has no more turns by them, and does not fill the queue for others.
 */
export class WaitingCalls {
  /** Lines in order of their last turn. */
  readonly #lines = new Map<string, Line>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** After how many turns one more call of a caller would have its own. */
  turnsBefore(caller: string): number {
    const line = this.#lines.get(siteOf(caller))
    const own = line?.callers.get(caller)?.size ?? 0
    const callers = (line?.callers.size ?? 0) + (own === 0 ? 1 : 0)
    const lines = this.#lines.size + (line === undefined ? 1 : 0)
    return (own + 1) * callers * lines
  }

  add(caller: string, call: WaitingCall): void {
    const name = siteOf(caller)
    const line = this.#lines.get(name) ?? { size: 0, callers: new Map() }
    this.#lines.set(name, line)
    line.callers.set(caller, (line.callers.get(caller) ?? new Set()).add(call))
    line.size++
    this.#size++
  }

  /** Removes a call; the other calls of its caller, and of its line, move behind those of others. */
  remove(caller: string, call: WaitingCall): void {
    const name = siteOf(caller)
    const line = this.#lines.get(name)
    const calls = line?.callers.get(caller)
    if (line === undefined || !calls?.delete(call)) return
    line.callers.delete(caller)
    if (calls.size > 0) line.callers.set(caller, calls)
    line.size--
    this.#size--
    this.#lines.delete(name)
    if (line.size > 0) this.#lines.set(name, line)
  }

  /**
   * The call whose turn is next: of the line with the fewest turns under way, and in it of the caller with the fewest.
   * @param turnsOf how many a line or caller has under way
   * @param fits whether a line with so many may have one more
   */
  next(turnsOf: (name: string) => number, fits: (turns: number) => boolean): WaitingCall | undefined {
    const name = fewestOf(this.#lines.keys(), turnsOf)
    const { callers } = this.#lines.get(name) ?? {}
    if (callers === undefined || !fits(turnsOf(name))) return undefined
    const [call] = callers.get(fewestOf(callers.keys(), turnsOf))!
    return call
  }

  /**
   * The call to turn away so that one more of this caller can wait: the last one of the caller with the most in the
   * longest line. Undefined if that is this caller's own, or would be.
   */
  displacedBy(caller: string): WaitingCall | undefined {
    const own = this.#lines.get(siteOf(caller))
    let longest: Line | undefined
    let most = (own?.size ?? 0) + 1
    for (const line of this.#lines.values()) {
      if (line.size <= most) continue
      most = line.size
      longest = line
    }
    if (longest !== undefined) return lastOfMost(longest, 0)
    return own && lastOfMost(own, (own.callers.get(caller)?.size ?? 0) + 1)
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

/** The last call of the caller with the most, if these are more than so many. */
function lastOfMost({ callers }: Line, most: number): WaitingCall | undefined {
  let longest: Iterable<WaitingCall> = []
  for (const calls of callers.values()) {
    if (calls.size <= most) continue
    most = calls.size
    longest = calls
  }
  return [...longest].at(-1)
}
