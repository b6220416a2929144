import { FairTurns } from '../../edge/fair-turns.ts'
import { TurnEnd } from '../../edge/turn-end.ts'

/** Pieces of all streams together in a turn of the event loop. Holders take turns. */
const PIECES = 1

/**
 * Milliseconds that pieces of a holder may take in a turn of the event loop without a rest after them: 64 KiB of most
 * logs take half of that.
 */
const FREE_MS = 1

interface Rest {
  until: number
  readonly waiting: (() => void)[]
}

/**
 * Divides the event loop among streams that are read as they arrive. The sender decides what a piece costs, which is
 * known only afterwards. After expensive pieces, be it many small ones, their holder rests for as long as they took. So
 * all expensive ones together take at most half of the loop, one holder after another, while cheap ones go on beside
 * them.
 */
export class PieceTurns {
  readonly #turns = new FairTurns(PIECES, undefined, PIECES)
  readonly #now: () => number
  readonly #after: (ms: number, next: () => void) => void
  /** Resting holders. */
  readonly #resting = new Map<string, Rest>()
  /** Milliseconds that pieces have taken since their holder's turn, in this turn of the event loop, without a rest. */
  readonly #unpaid = new Map<string, number>()
  readonly #turnEnd = new TurnEnd(() => this.#unpaid.clear())
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

  /** Whether the holder's pieces have to wait until it has rested. */
  isResting(holder: string): boolean {
    return this.#resting.has(holder)
  }

  /** Reports how long a piece, or a part of one, has taken. */
  took(holder: string, part: number): void {
    const ms = (this.#unpaid.get(holder) ?? 0) + part
    this.#turnEnd.await()
    this.#unpaid.set(holder, ms)
    if (ms < FREE_MS) return
    this.#unpaid.delete(holder)
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
    if (this.#rests(holder, begin)) return
    this.#turns.run(holder, () => {
      if (this.#rests(holder, begin)) return false
      this.#unpaid.delete(holder)
      return begin()
    })
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
