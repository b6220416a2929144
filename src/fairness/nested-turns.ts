import { FairTurns } from './fair-turns.ts'
import type { TurnShare } from './turn-shares.ts'

type Work = () => unknown

/**
 * FairTurns of groups, in each of which holders take turns piece by piece: a group has no more of the event loop by
 * having many holders, and a holder in it waits for one piece of each other.
 */
export class NestedTurns {
  readonly #turns: FairTurns
  /** Group → holder → its pieces that wait for a turn of the group; the holder whose turn is next comes first. */
  readonly #waiting = new Map<string, Map<string, Work[]>>()

  /** @param share a row of turnShares, of a group @param soon as in FairTurns */
  constructor(share: TurnShare, soon?: (next: () => void) => void) {
    this.#turns = new FairTurns(share, soon)
  }

  /** Does a piece of work of a holder in a group. @param work as in FairTurns.run */
  run(group: string, holder: string, work: Work): void {
    const holders = this.#waiting.get(group) ?? new Map<string, Work[]>()
    this.#waiting.set(group, holders)
    const waiting = holders.get(holder)
    if (waiting === undefined) holders.set(holder, [work])
    else waiting.push(work)
    this.#turns.run(group, () => this.#begin(group, holders))
  }

  /** As FairTurns.took. */
  took(ms: number): void {
    this.#turns.took(ms)
  }

  #begin(group: string, holders: Map<string, Work[]>): unknown {
    const [holder, waiting] = holders.entries().next().value!
    const work = waiting.shift()!
    // Moves it behind the others.
    holders.delete(holder)
    if (waiting.length > 0) holders.set(holder, waiting)
    else if (holders.size === 0) this.#waiting.delete(group)
    return work()
  }
}
