/** How often `look` has to be called, in milliseconds. */
export const LOOK_MS = 1000

/**
 * A call of `look` that is late by more than this, in milliseconds, means that the process did not run: no work of its
 * own takes so long.
 */
const STILL_MS = 5_000

/**
 * Detects that this process stood still because its machine or container was stopped or had no CPU. The clock continues
 * in that time. So whatever waited seems to have waited that long, although nothing that arrived could be read.
 */
export class Standstill {
  readonly #now: () => number
  readonly #onEnd: (ms: number) => void
  #lookedAt: number | undefined
  #endedAt = Number.NEGATIVE_INFINITY
  #stoodMs = 0

  /**
   * @param now clock of durations in milliseconds
   * @param onEnd called after each standstill with its length in milliseconds
   */
  constructor(now: () => number, onEnd: (ms: number) => void) {
    this.#now = now
    this.#onEnd = onEnd
  }

  /** To be called every LOOK_MS. Before the first call nothing is known. */
  look(): void {
    this.#notice()
    this.#lookedAt = this.#now()
  }

  /** When the latest standstill ended, on the clock. This also notices one that is over before the next look. */
  get endedAt(): number {
    this.#notice()
    return this.#endedAt
  }

  /** How long all standstills were together, in milliseconds. This also notices one, as `endedAt` does. */
  get stoodMs(): number {
    this.#notice()
    return this.#stoodMs
  }

  #notice(): void {
    if (this.#lookedAt === undefined) return
    const now = this.#now()
    const still = now - this.#lookedAt - LOOK_MS
    if (still <= STILL_MS) return
    this.#lookedAt = now
    this.#endedAt = now
    this.#stoodMs += still
    this.#onEnd(still)
  }
}
