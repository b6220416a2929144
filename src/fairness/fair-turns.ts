import { CancelledError, type CancelSignal, onAbort } from '../base/cancellation.ts'
import { siteOf } from '../base/holders.ts'
import { Line } from './line.ts'
import type { SharedWait } from './shared-wait.ts'
import { TurnEnd } from './turn-end.ts'
import type { TurnShare } from './turn-shares.ts'

/**
 * A turn longer than this, in milliseconds, reduces how many pieces are started for each holder. Four ordinary calls
 * take a quarter of it.
 */
const LONG_MS = 1

/**
 * A turn whose pieces take longer than this, in milliseconds, reduces how many pieces of all holders begin in the next
 * turn. It is as long as four pages of records take.
 */
const DEAR_MS = 4

/**
 * Divides the turns of the event loop among the holders that keep it busy. In each turn a limited number of pieces of
 * work is started for each holder. The rest waits for the next turns, in order of arrival. A single holder is not
 * slowed down. Next to a holder with thousands of pieces, another holder's piece waits for only a few of them. If there
 * is a limit for all, holders take turns piece by piece. All holders of one network (siteOf) count as one here, and
 * take turns within it. Otherwise whoever has a network would get as many pieces in each turn as it has addresses.
 *
 * Pieces that take long make long turns, and another holder's call needs several turns. So the limit for each holder is
 * halved after each long turn, down to a single piece, and grows by one after each other turn. The limit for all
 * changes in the same way, but it is halved only after turns with a piece that was reported as expensive (`took`). If
 * it were halved after every long turn, many holders with cheap pieces would have to share a single piece where the
 * work of others makes turns long.
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
  /** Whether a piece of this turn was reported as expensive. */
  #isDear = false
  /** Pieces that may still be started in this turn. */
  #left: number
  /** Pieces started in this turn, by holder or network. */
  readonly #begun = new Map<string, number>()
  readonly #waiting = new Map<string, Line<() => unknown>>()

  /**
   * @param share a row of turnShares
   * @param soon calls the function that it is given in the next turn
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
   * Does a piece of work, now or in one of the next turns. The work must not throw.
   * @param work returns `false` if nothing is left to do when its turn comes: work that was given up does not use up a
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

  /**
   * Resolves in a turn of the holder.
   * @param gone ends the wait
   * @throws CancelledError when `gone` aborts
   */
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
   * Waits for a shared result, then for a turn of the holder. Otherwise all who wait for the result would go on in the
   * same turn. A caller that goes meanwhile stops waiting for both, because a waiting caller keeps all that its request
   * holds.
   * @param gone ends the wait
   * @throws what the shared work throws, in such a turn as well; CancelledError at once when `gone` aborts
   */
  async behind<T>(holder: string, running: SharedWait<T>, gone: CancelSignal | undefined): Promise<T> {
    try {
      return await running.wait(gone)
    } finally {
      await this.next(holder, gone)
    }
  }

  /** Reports how long, in milliseconds, a piece of this turn took, or all of its pieces together. */
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
      // Moves this holder behind the others.
      this.#waiting.delete(whose)
      if (!waiting.isEmpty) this.#waiting.set(whose, waiting)
      this.#begun.set(whose, begun)
    }
  }
}
