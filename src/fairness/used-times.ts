import { LRUCache } from 'lru-cache'
import { atMost } from '../collections/at-most.ts'

/** Most holders whose time is remembered; that of all others counts as zero. */
const MAX_HOLDERS = 4_000

/**
 * Milliseconds that holders have used, compared with those being served (start-time fair queueing): whoever has used least
 * is next. Nobody counts as far below the level, however long they used nothing.
 */
export class UsedTimes {
  readonly #creditMs: number
  readonly #used = new LRUCache<string, number>(atMost(MAX_HOLDERS))
  #level = 0

  /** @param creditMs the most that a holder can have over others who used more */
  constructor(creditMs: number) {
    this.#creditMs = creditMs
  }

  /** The most that any holder had used when it was served. */
  get level(): number {
    return this.#level
  }

  /** What a holder has used, compared with the level. */
  of(holder: string): number {
    return Math.max(this.#used.get(holder) ?? 0, this.#level - this.#creditMs)
  }

  /** Tells that a holder is served now. */
  serve(holder: string): void {
    this.#level = Math.max(this.#level, this.of(holder))
  }

  /** Counts milliseconds that a holder has used. */
  pay(holder: string, ms: number): void {
    this.#used.set(holder, this.of(holder) + ms)
  }
}
