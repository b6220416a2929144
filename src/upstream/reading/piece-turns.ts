import { FairTurns } from '../../fairness/fair-turns.ts'
import { TurnEnd } from '../../fairness/turn-end.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { PieceDebts } from './piece-debts.ts'

/**
 * Milliseconds that pieces of a holder may take in a turn of the event loop without a rest after them: 64 KiB of most
 * logs take half of that.
 */
const FREE_MS = 1

/** Whose pieces they are. */
export interface PieceHolder {
  /** The operator's forge is one, and callers' forges are the other, of which one caller may name any number. */
  readonly pool: 'own' | 'foreign'
  /** The address of the caller. */
  readonly from: string
  /** By name, what rests by itself: of an address, the streams of one forge. */
  readonly share: string
}

type Waiting = Map<string, (() => void)[]>

interface Rest {
  until: number
  readonly waiting: (() => void)[]
}

/**
 * Divides the event loop among streams that are read as they arrive. The sender decides what a piece costs, which is
 * known only afterwards. After dear pieces, be it many small ones, their holder rests until they are paid for
 * (piece-debts.ts). So all dear ones together take at most half of the loop, while cheap ones go on beside them.
 */
export class PieceTurns {
  /** The addresses of a pool take turns, and in each of them the holders. */
  readonly #turns = { own: new FairTurns(turnShares.pieces), foreign: new FairTurns(turnShares.pieces) }
  /** Address → share → its pieces that wait for their turn. */
  readonly #waiting = { own: new Map<string, Waiting>(), foreign: new Map<string, Waiting>() }
  readonly #now: () => number
  readonly #after: (ms: number, next: () => void) => void
  /** Resting shares. */
  readonly #resting = new Map<string, Rest>()
  /** Milliseconds that pieces have taken since their share's turn, in this turn of the event loop, without a rest. */
  readonly #unpaid = new Map<string, number>()
  readonly #turnEnd = new TurnEnd(() => this.#unpaid.clear())
  readonly #debts = new PieceDebts()

  /** @param now clock in milliseconds @param after calls back after the given milliseconds */
  constructor(
    now: () => number = () => performance.now(),
    after: (ms: number, next: () => void) => void = (ms, next) => setTimeout(next, ms)
  ) {
    this.#now = now
    this.#after = after
  }

  /** Resolves in the turn of a piece. */
  next(holder: PieceHolder): Promise<void> {
    return new Promise(resolve => this.#go(holder, resolve))
  }

  /** Whether the holder's pieces have to wait until it has rested. */
  isResting({ share }: PieceHolder): boolean {
    return this.#resting.has(share)
  }

  /** Reports how long a piece, or a part of one, has taken. */
  took(holder: PieceHolder, part: number): void {
    const { pool, from, share } = holder
    const ms = (this.#unpaid.get(share) ?? 0) + part
    this.#turnEnd.await()
    this.#unpaid.set(share, ms)
    if (ms < FREE_MS) return
    this.#unpaid.delete(share)
    const now = this.#now()
    const until = this.#debts.add(pool, from, ms, now)
    const rest = this.#resting.get(share)
    if (rest !== undefined) rest.until = until
    else {
      this.#resting.set(share, { until, waiting: [] })
      this.#after(until - now, () => this.#wake(holder))
    }
  }

  #go(holder: PieceHolder, begin: () => void): void {
    const { pool, from, share } = holder
    if (this.#rests(share, begin)) return
    const waiting: Waiting = this.#waiting[pool].get(from) ?? new Map()
    this.#waiting[pool].set(from, waiting)
    const ofShare = waiting.get(share)
    if (ofShare === undefined) waiting.set(share, [begin])
    else ofShare.push(begin)
    this.#turns[pool].run(from, () => this.#begin(holder))
  }

  /** Begins a piece of an address, whose shares take turns. @returns false if that one rests by now */
  #begin({ pool, from }: PieceHolder): boolean {
    const waiting = this.#waiting[pool].get(from)!
    const [share, begins] = waiting.entries().next().value!
    const begin = begins.shift()!
    // Moves it behind the others.
    waiting.delete(share)
    if (begins.length > 0) waiting.set(share, begins)
    else if (waiting.size === 0) this.#waiting[pool].delete(from)
    if (this.#rests(share, begin)) return false
    this.#unpaid.delete(share)
    begin()
    return true
  }

  #rests(share: string, begin: () => void): boolean {
    const rest = this.#resting.get(share)
    rest?.waiting.push(begin)
    return rest !== undefined
  }

  #wake(holder: PieceHolder): void {
    const rest = this.#resting.get(holder.share)!
    const left = rest.until - this.#now()
    // Timers count whole milliseconds, and may be one early.
    if (left > 1) this.#after(left, () => this.#wake(holder))
    else {
      this.#resting.delete(holder.share)
      for (const begin of rest.waiting) this.#go(holder, begin)
    }
  }
}
