import { NestedTurns } from '../../fairness/nested-turns.ts'
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
  /** The operator's forge is one pool. Callers' forges, of which one caller may name any number, are the other. */
  readonly pool: 'own' | 'foreign'
  /** The address of the caller. */
  readonly from: string
  /** Who takes turns at that address: its callers or, at callers' forges, these forges. */
  readonly holder: string
  /** The name of what rests by itself: an address or, at callers' forges, the streams of one forge at that address. */
  readonly share: string
}

interface Rest {
  until: number
  /** The holder whose piece began it. */
  readonly by: string
  readonly waiting: { readonly holder: string; readonly goOn: () => void }[]
}

/**
 * Divides the event loop among streams that are read as they arrive. The sender decides what a piece costs, which is
 * known only afterwards. After expensive pieces, or many small ones, their share rests until they are paid for
 * (piece-debts.ts). So all expensive pieces together take at most half of the loop, while cheap ones go on beside them.
 */
export class PieceTurns {
  /** The addresses of a pool take turns, and within each address its holders. */
  readonly #turns = { own: new NestedTurns(turnShares.pieces), foreign: new NestedTurns(turnShares.pieces) }
  readonly #now: () => number
  readonly #after: (ms: number, next: () => void) => void
  /** The shares that rest. */
  readonly #resting = new Map<string, Rest>()
  /**
   * Milliseconds that pieces have taken since the last turn of their share, in this turn of the event loop, and that no
   * rest has followed yet.
   */
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
      this.#resting.set(share, { until, by: holder.holder, waiting: [] })
      this.#after(until - now, () => this.#wake(share))
    }
  }

  #go(whose: PieceHolder, begin: () => void): void {
    if (this.#rests(whose, begin)) return
    this.#turns[whose.pool].run(whose.from, whose.holder, () => {
      // The share may have begun to rest meanwhile.
      if (this.#rests(whose, begin)) return false
      this.#unpaid.delete(whose.share)
      begin()
      return true
    })
  }

  #rests(whose: PieceHolder, begin: () => void): boolean {
    const rest = this.#resting.get(whose.share)
    rest?.waiting.push({ holder: whose.holder, goOn: () => this.#go(whose, begin) })
    return rest !== undefined
  }

  #wake(share: string): void {
    const rest = this.#resting.get(share)!
    const left = rest.until - this.#now()
    // Timers count whole milliseconds, and may be one early.
    if (left > 1) this.#after(left, () => this.#wake(share))
    else {
      this.#resting.delete(share)
      // The holder of the last piece asks for the next one first, and would get all of them: it goes last.
      const { by, waiting } = rest
      for (const isIts of [false, true])
        for (const { holder, goOn } of waiting) if ((holder === by) === isIts) goOn()
    }
  }
}
