import { SharedCache } from '../collections/shared-cache.ts'

/** Most ended sessions that are remembered: about 5 MB. */
const LIMIT = 10_000

/**
 * Sessions that were ended while their ids are still valid. This is the memory of one replica, so an ended session may
 * stay alive on others. Anybody can begin and end sessions with made-up tokens: if there are too many, the oldest of
 * the address with the most is forgotten.
 */
export class EndedSessions {
  readonly #ended: SharedCache<true>

  /**
   * @param keepMs how long, in milliseconds, an id of an ended session could still be used
   * @param now clock in milliseconds
   */
  constructor(keepMs: number, now: () => number, limit = LIMIT) {
    this.#ended = new SharedCache(limit, keepMs, now)
  }

  has(key: string): boolean {
    return this.#ended.get(key) !== undefined
  }

  /**
   * Remembers that a session was ended.
   * @param from the address that ended it, as from holderOf; without one the session is a holder of its own
   * @returns false if it had already ended
   */
  add(key: string, from = key): boolean {
    if (this.has(key)) return false
    this.#ended.set(key, true, from)
    return true
  }
}
