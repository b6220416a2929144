import { SharedCache } from '../collections/shared-cache.ts'

/** Most ids that are remembered: about 5 MB. */
const MAX_IDS = 10_000

/**
 * Ids that are still valid by themselves, but must not be used again: of sessions that were ended, codes and tokens
 * that were redeemed, questions that were answered. This is the memory of one replica, so other replicas may still
 * accept them. Anybody can begin and end sessions with made-up tokens. If there are too many ids, the oldest one of the
 * address with the most is forgotten.
 */
export class SpentIds {
  readonly #spent: SharedCache<true>

  /**
   * @param keepMs how long, in milliseconds, a spent id would still be valid
   * @param now clock in milliseconds
   */
  constructor(keepMs: number, now: () => number, limit = MAX_IDS) {
    this.#spent = new SharedCache(limit, keepMs, now)
  }

  has(key: string): boolean {
    return this.#spent.get(key) !== undefined
  }

  /**
   * Remembers that an id is spent.
   * @param from the address that spent it, as from holderOf; if omitted, the id is its own holder
   * @returns false if it was already spent
   */
  add(key: string, from = key): boolean {
    if (this.has(key)) return false
    this.#spent.set(key, true, from)
    return true
  }
}
