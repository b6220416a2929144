import { FairTurns } from '../../edge/fair-turns.ts'

/** Pieces of all streams together in a turn of the event loop. Holders have theirs one after another. */
const PIECES = 1

/** What a piece may take without a rest, in milliseconds: 64 KiB of most logs take half of it. */
const FREE_MS = 1

interface Rest {
  until: number
  readonly waiting: (() => void)[]
}

/**
 * Divides the event loop among streams that are read as they arrive. What a piece costs is for its sender to say, and
 * known only afterwards: whose was dear rests for as long, so that all dear ones together take half of the loop at most,
 * one holder after another, and cheap ones go on beside them.
 */
export class PieceTurns {
  readonly #turns = new FairTurns(PIECES, undefined, PIECES)
  readonly #now: () => number
  readonly #after: (ms: number, next: () => void) => void
  /** By holder. */
  readonly #resting = new Map<string, Rest>()
  /** When all dear pieces so far are paid for. */
  #paidAt = 0

  /** @param now clock in milliseconds @param after calls back after so many */
  constructor(
    now: () => number = () => performance.now(),
    after: (ms: number, next: () => void) => void = (ms, next) => setTimeout(next, ms)
  ) {
    this.#now = now
    this.#after = after
  }

  /** Comes back in the turn of a piece. */
  next(holder: string): Promise<void> {
    return new Promise(resolve => this.#go(holder, resolve))
  }

  /** Says what a piece has taken. */
  took(holder: string, ms: number): void {
    if (ms < FREE_MS) return
    const now = this.#now()
    this.#paidAt = Math.max(this.#paidAt, now - ms) + 2 * ms
    const rest = this.#resting.get(holder)
    if (rest !== undefined) rest.until = this.#paidAt
    else {
      this.#resting.set(holder, { until: this.#paidAt, waiting: [] })
      this.#after(this.#paidAt - now, () => this.#wake(holder))
    }
  }

  #go(holder: string, begin: () => void): void {
    if (!this.#rests(holder, begin)) this.#turns.run(holder, () => !this.#rests(holder, begin) && begin())
  }

  #rests(holder: string, begin: () => void): boolean {
    const rest = this.#resting.get(holder)
    rest?.waiting.push(begin)
    return rest !== undefined
  }

  #wake(holder: string): void {
    const rest = this.#resting.get(holder)!
    const left = rest.until - this.#now()
    // Timers count whole milliseconds, and may be one early.
    if (left > 1) this.#after(left, () => this.#wake(holder))
    else {
      this.#resting.delete(holder)
      for (const begin of rest.waiting) this.#go(holder, begin)
    }
  }
}
