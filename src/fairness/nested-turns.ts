import { FairTurns } from './fair-turns.ts'
import { Line } from './line.ts'
import type { TurnShare } from './turn-shares.ts'

type Work = () => unknown

/**
 * FairTurns for groups. Within each group, holders take turns piece by piece. A group gets no more of the event loop by
 * having many holders, and a holder waits for at most one piece of each other holder in its group.
 */
export class NestedTurns {
  readonly #turns: FairTurns
  /** For each group, the pieces that wait for its turn. */
  readonly #waiting = new Map<string, Line<Work>>()

  /** @param share a row of turnShares, for a group */
  constructor(share: TurnShare) {
    this.#turns = new FairTurns(share)
  }

  /**
   * Does a piece of work for a holder in a group.
   * @param work as in FairTurns.run
   */
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
