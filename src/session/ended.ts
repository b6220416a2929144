/** Most ended sessions that are remembered: about 1 MB. */
const LIMIT = 10_000

/**
 * Sessions that were ended while ids of theirs are still valid. One replica's memory, so an ended session may
 * live on elsewhere; the oldest are forgotten first when there are too many.
 */
export class EndedSessions {
  /** Key to the time of its end, oldest first. */
  readonly #ended = new Map<string, number>()
  readonly #keepMs: number
  readonly #limit: number

  /** @param keepMs how long an id given out before the end could still be used */
  constructor(keepMs: number, limit = LIMIT) {
    this.#keepMs = keepMs
    this.#limit = limit
  }

  has(key: string): boolean {
    return this.#ended.has(key)
  }

  /** @returns false when it had ended already */
  add(key: string, now: number): boolean {
    if (this.#ended.has(key)) return false
    for (const [oldest, at] of this.#ended) {
      if (this.#ended.size < this.#limit && now - at <= this.#keepMs) break
      this.#ended.delete(oldest)
    }
    this.#ended.set(key, now)
    return true
  }
}
