/** How often `monitorEventLoopDelay` looks, in milliseconds: what a turn may take without being late. */
export const RESOLUTION_MS = 10

/** As of `monitorEventLoopDelay` at RESOLUTION_MS, enabled. */
interface TurnHistogram {
  readonly count: number
  /** Nanoseconds from turn to turn; NaN for none. */
  readonly mean: number
  reset(): void
}

/** The mean delay of the event loop from one reading to the next. */
export class LoopDelay {
  readonly #histogram: TurnHistogram
  readonly #now: () => number
  #since: number

  /**
   * @param histogram reset by each reading
   * @param now clock in milliseconds
   */
  constructor(histogram: TurnHistogram, now: () => number) {
    this.#histogram = histogram
    this.#now = now
    this.#since = now()
  }

  /** @returns milliseconds */
  read(): number {
    const now = this.#now()
    const { count, mean } = this.#histogram
    // The first turn after a reset is where counting begins; a loop that made no other was held up all the time.
    const turn = count === 0 ? now - this.#since : mean / 1e6
    this.#histogram.reset()
    this.#since = now
    return Math.max(0, turn - RESOLUTION_MS)
  }
}
