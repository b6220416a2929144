/**
 * How often `monitorEventLoopDelay` samples, in milliseconds. A turn may take this long without counting as delayed.
 */
export const RESOLUTION_MS = 10

/** The histogram of `monitorEventLoopDelay`, enabled, at RESOLUTION_MS. */
interface TurnHistogram {
  readonly count: number
  /** Nanoseconds between turns; NaN if there were none. */
  readonly mean: number
  reset(): void
}

/** Measures the mean delay of the event loop between two readings. */
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

  /** @returns the mean delay since the last reading, in milliseconds */
  read(): number {
    const now = this.#now()
    const { count, mean } = this.#histogram
    // Counting begins at the first turn after a reset. If there was no other turn, the loop was blocked all the time.
    const turn = count === 0 ? now - this.#since : mean / 1e6
    this.#histogram.reset()
    this.#since = now
    return Math.max(0, turn - RESOLUTION_MS)
  }
}
