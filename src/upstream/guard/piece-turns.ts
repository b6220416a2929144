import { FairTurns } from '../../edge/fair-turns.ts'

/** Pieces of all streams together in a turn of the event loop. Holders take turns. */
const PIECES = 1

/** Milliseconds that a piece may take without a rest after it: 64 KiB of most logs take half of that. */
const FREE_MS = 1

interface Rest {
  until: number
  readonly waiting: (() => void)[]
}

/**
 * Divides the event loop among streams that are read as they arrive. The sender decides what a piece costs, which is
 * known only afterwards. After an expensive piece, its holder rests for as long as it took. So all expensive ones
 * together take at most half of the loop, one holder after another, while cheap ones go on beside them.
 */
export class PieceTurns {
  readonly #turns = new FairTurns(PIECES, undefined, PIECES)
  readonly #now: () => number
  readonly #after: (ms: number, next: () => void) => void
  /** Resting holders. */
  readonly #resting = new Map<string, Rest>()
  /** When all dear pieces so far are paid for. */
  #paidAt = 0

  /** @param now clock in milliseconds @param after calls back after the given milliseconds */
  constructor(
    now: () => number = () => performance.now(),
    after: (ms: number, next: () => void) => void = (ms, next) => setTimeout(next, ms)
  ) {
    this.#now = now
    this.#after = after
  }

  /** Resolves in the turn of a piece. */
  next(holder: string): Promise<void> {
    return new Promise(resolve => this.#go(holder, resolve))
  }

  /** Reports how long a piece has taken. */
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
