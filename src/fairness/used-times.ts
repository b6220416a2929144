import { LRUCache } from 'lru-cache'
import { atMost } from '../collections/at-most.ts'

/** Most holders whose time is remembered; the time of all others counts as zero. */
const MAX_HOLDERS = 4_000

/**
 * The milliseconds that holders have used, compared with those of the holders being served (start-time fair queueing).
 * The holder that has used the least is next. However long a holder used nothing, its lead is bounded (`creditMs`).
 */
export class UsedTimes {
  readonly #creditMs: number
  readonly #used = new LRUCache<string, number>(atMost(MAX_HOLDERS))
  #level = 0

  /** @param creditMs by how many milliseconds at most a holder counts below the level */
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

  /** Records that a holder is served now. */
  serve(holder: string): void {
    this.#level = Math.max(this.#level, this.of(holder))
  }

  /** Counts milliseconds that a holder has used. */
  pay(holder: string, ms: number): void {
    this.#used.set(holder, this.of(holder) + ms)
  }
}
