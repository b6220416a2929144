import { SharedCache } from '../shared-cache.ts'

/** Most ended sessions that are remembered: about 5 MB. */
const LIMIT = 10_000

/**
 * Sessions that were ended while ids of theirs are still valid. One replica's memory, so an ended session may
 * live on elsewhere. Anybody can begin and end sessions with made-up tokens: when there are too many, the oldest of the
 * address that has most is forgotten.
 */
export class EndedSessions {
  readonly #ended: SharedCache<true>

  /**
   * @param keepMs how long an id given out before the end could still be used
   * @param now clock in milliseconds
   */
  constructor(keepMs: number, now: () => number, limit = LIMIT) {
    this.#ended = new SharedCache(limit, keepMs, now)
  }

  has(key: string): boolean {
    return this.#ended.get(key) !== undefined
  }

  /**
   * @param from where it was ended, as of holderOf; without one it is a holder by itself
   * @returns false when it had ended already
   */
  add(key: string, from = key): boolean {
    if (this.has(key)) return false
    this.#ended.set(key, true, from)
    return true
  }
}
