/** Why a session in memory has ended: it was unused for too long, made room for others, or its client ended it. */
export type SessionEnd = 'idle' | 'displaced' | 'deleted'

/** Most ended sessions whose end is known: about 2 MB. */
const LIMIT = 10_000

/**
 * Why sessions have ended whose ids may still come, for the log. It decides nothing, so that whoever ends many sessions
 * may push out what is known of others.
 */
export class EndedSessions {
  // In the order of their end.
  readonly #ends = new Map<string, SessionEnd>()
  readonly #limit: number

  /** @param limit most that are known; of more, those that ended first are forgotten */
  constructor(limit = LIMIT) {
    this.#limit = limit
  }

  /** Remembers an end. @param key the id of the session */
  add(key: string, end: SessionEnd): void {
    this.#ends.set(key, end)
    if (this.#ends.size <= this.#limit) return
    const [first] = this.#ends.keys()
    this.#ends.delete(first!)
  }

  /** Why the session of an id has ended, if that is known. */
  of(key: string): SessionEnd | undefined {
    return this.#ends.get(key)
  }
}
