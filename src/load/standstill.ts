/** How often it has to be looked at, in milliseconds. */
export const LOOK_MS = 1000

/** How late a look is, in milliseconds, when the process did not run: work that it does itself takes no such time. */
const STILL_MS = 5_000

/**
 * Knows when this process stood still, as its machine or container was stopped or had no CPU. The clock goes on
 * meanwhile, and what waited seems to have waited for as long, though nothing that came could be read.
 */
export class Standstill {
  readonly #now: () => number
  readonly #onEnd: (ms: number) => void
  #lookedAt: number | undefined
  #endedAt = Number.NEGATIVE_INFINITY

  /** @param now clock of durations in milliseconds @param onEnd told after each for how long it was */
  constructor(now: () => number, onEnd: (ms: number) => void) {
    this.#now = now
    this.#onEnd = onEnd
  }

  /** To be called every LOOK_MS. Before the first time nothing is known. */
  look(): void {
    this.#notice()
    this.#lookedAt = this.#now()
  }

  /** When the latest one ended, on the clock; it may be over before the next look comes. */
  get endedAt(): number {
    this.#notice()
    return this.#endedAt
  }

  #notice(): void {
    if (this.#lookedAt === undefined) return
    const now = this.#now()
    const still = now - this.#lookedAt - LOOK_MS
    if (still <= STILL_MS) return
    this.#lookedAt = now
    this.#endedAt = now
    this.#onEnd(still)
  }
}
