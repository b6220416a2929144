/** Shortest interval, in milliseconds, between two reports of the same trouble. */
const QUIET_MS = 10 * 60_000

/**
 * Reports spans that the collector did not accept: the first loss at once, and then at most every ten minutes. A
 * collector that is down fails for every batch, and callers are not affected.
 */
export class Losses {
  readonly #tell: (error: unknown, spans: number) => void
  readonly #now: () => number
  #spans = 0
  #toldAt = Number.NEGATIVE_INFINITY

  /**
   * @param tell gets the last error, and how many spans were lost since the last report
   * @param now clock in milliseconds
   */
  constructor(tell: (error: unknown, spans: number) => void, now: () => number) {
    this.#tell = tell
    this.#now = now
  }

  add(spans: number, error: unknown): void {
    this.#spans += spans
    if (this.#now() - this.#toldAt < QUIET_MS) return
    this.#toldAt = this.#now()
    this.#tell(error, this.#spans)
    this.#spans = 0
  }
}
