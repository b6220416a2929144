import { FairTurns } from './fair-turns.ts'
import { Line } from './line.ts'
import type { TurnShare } from './turn-shares.ts'

type Work = () => unknown

/**
 * FairTurns of groups, in each of which holders take turns piece by piece: a group has no more of the event loop by
 * having many holders, and a holder in it waits for one piece of each other.
 */
export class NestedTurns {
  readonly #turns: FairTurns
  /** The pieces of each group that wait for its turn. */
  readonly #waiting = new Map<string, Line<Work>>()

  /** @param share a row of turnShares, of a group @param soon as in FairTurns */
  constructor(share: TurnShare, soon?: (next: () => void) => void) {
    this.#turns = new FairTurns(share, soon)
  }

  /** Does a piece of work of a holder in a group. @param work as in FairTurns.run */
  run(group: string, holder: string, work: Work): void {
    const line = this.#waiting.get(group) ?? new Line<Work>()
    this.#waiting.set(group, line)
    line.add(holder, work)
    this.#turns.run(group, () => this.#begin(group, line))
  }

  /** As FairTurns.took. */
  took(ms: number): void {
    this.#turns.took(ms)
  }

  #begin(group: string, line: Line<Work>): unknown {
    const work = line.take()!
    if (line.isEmpty) this.#waiting.delete(group)
    return work()
  }
}
