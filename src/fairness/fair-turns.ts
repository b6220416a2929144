import { CancelledError, type CancelSignal, onAbort } from '../base/cancellation.ts'
import { siteOf } from '../base/holders.ts'
import { Line } from './line.ts'
import type { SharedWait } from './shared-wait.ts'
import { TurnEnd } from './turn-end.ts'
import type { TurnShare } from './turn-shares.ts'

/**
 * Length of a turn, in milliseconds, above which fewer pieces are started for each holder. Four ordinary calls take a
 * quarter of it.
 */
const LONG_MS = 1

/**
 * Milliseconds that pieces of a turn may take without fewer of all holders beginning in the next: as long as four pages
 * of records.
 */
const DEAR_MS = 4

/**
 * Divides the turns of the event loop among those who keep it busy. In each turn a limited number of pieces of work is
 * started for each holder; the rest waits for the next turns, in order of arrival. A single holder is not slowed down;
 * next to a holder with thousands of pieces, another's piece waits for only a few of them. If there is a limit for all,
 * holders take turns piece by piece. Holders in one network (siteOf) are one here, whose pieces are theirs in turns:
 * whoever has a network would otherwise have as many in each turn as it has addresses.
 *
 * Pieces that take long make long turns, and another's call takes several of them. So the limit for each holder is
 * halved after each long turn, down to a single piece, and grows by one after each other turn. The limit for all does
 * so only after turns in which a piece is reported to have been dear: where others' work makes turns long, many holders
 * of cheap pieces would share a single one.
 */
export class FairTurns {
  readonly #each: number
  readonly #all: number
  readonly #turnEnd: TurnEnd
  readonly #now: () => number
  /** Pieces that may be started for each holder in this turn. */
  #share: number
  /** When this turn began, by the clock. */
  #began = 0
  /** Pieces that may be started in this turn. */
  #most: number
  /** Whether pieces of this turn are reported to have been dear. */
  #isDear = false
  /** Pieces that may still be started in this turn. */
  #left: number
  /** Pieces started in this turn, by holder or network. */
  readonly #begun = new Map<string, number>()
  readonly #waiting = new Map<string, Line<() => unknown>>()

  /**
   * @param share a row of turnShares
   * @param soon calls what it is given in the next turn
   * @param now clock in milliseconds
   */
  constructor(
    { each, all = Number.POSITIVE_INFINITY }: TurnShare,
    soon?: (next: () => void) => void,
    now: () => number = () => performance.now()
  ) {
    this.#each = each
    this.#share = each
    this.#all = all
    this.#most = all
    this.#left = all
    this.#now = now
    this.#turnEnd = new TurnEnd(() => this.#next(), soon)
  }

  /**
   * Does a piece of work, now or in one of the next turns. It throws nothing.
   * @param work returns `false` if by its turn there is nothing left to do: work that was given up does not use up a
   * place
   */
  run(holder: string, work: () => unknown): void {
    const whose = siteOf(holder)
    const begun = this.#begun.get(whose) ?? 0
    const waiting = this.#waiting.get(whose)
    if (this.#turnEnd.await()) this.#began = this.#now()
    if (waiting !== undefined) waiting.add(holder, work)
    else if (begun >= this.#share || this.#left === 0) {
      const line = new Line<() => unknown>()
      line.add(holder, work)
      this.#waiting.set(whose, line)
    } else {
      this.#begun.set(whose, begun + 1)
      this.#left--
      work()
    }
  }

  /** Resolves in such a turn. @param gone ends the wait for it @throws CancelledError then */
  next(holder: string, gone?: CancelSignal): Promise<void> {
    if (gone?.aborted) return Promise.reject(new CancelledError())
    return new Promise((resolve, reject) => {
      const forget = onAbort(gone, () => reject(new CancelledError()))
      this.run(holder, () => {
        if (gone?.aborted) return false
        forget()
        resolve()
      })
    })
  }

  /**
   * Waits for a shared result, then for such a turn: otherwise all who wait for it would go on in the same turn. Whoever
   * goes meanwhile waits for neither, as what waits for its turn keeps all that its request holds.
   * @param gone ends the wait
   * @throws what it fails with, also in such a turn; CancelledError for whoever has gone, at once
   */
  async behind<T>(holder: string, running: SharedWait<T>, gone: CancelSignal | undefined): Promise<T> {
    try {
      return await running.wait(gone)
    } finally {
      await this.next(holder, gone)
    }
  }

  /** Reports how long a piece of this turn has taken, or all of them together. */
  took(ms: number): void {
    this.#isDear ||= ms > DEAR_MS
  }

  #next(): void {
    const now = this.#now()
    const isLong = now - this.#began > LONG_MS
    this.#share = isLong ? Math.max(1, this.#share >> 1) : Math.min(this.#each, this.#share + 1)
    this.#began = now
    this.#begun.clear()
    this.#most = this.#isDear ? Math.max(1, Math.floor(this.#most / 2)) : Math.min(this.#all, this.#most + 1)
    this.#isDear = false
    this.#left = this.#most
    if (this.#waiting.size === 0) return
    this.#turnEnd.await()
    for (const [whose, waiting] of [...this.#waiting]) {
      if (this.#left === 0) break
      let begun = 0
      while (begun < this.#share && this.#left > 0 && !waiting.isEmpty)
        if (waiting.take()!() !== false) {
          begun++
          this.#left--
        }
      // Moves it behind the others.
      this.#waiting.delete(whose)
      if (!waiting.isEmpty) this.#waiting.set(whose, waiting)
      this.#begun.set(whose, begun)
    }
  }
}
