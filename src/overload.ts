/** Milliseconds of overload after which a replica asks for no more traffic. */
const LONG_MS = 10_000

/** Tells a long overload from a moment's, from samples taken at regular times. */
export class OverloadWatch {
  #since: number | undefined

  /** @param now clock in milliseconds */
  sample(overloaded: boolean, now: number): void {
    if (!overloaded) this.#since = undefined
    else this.#since ??= now
  }

  /** As of the last sample. */
  get isNow(): boolean {
    return this.#since !== undefined
  }

  isLong(now: number): boolean {
    return this.#since !== undefined && now - this.#since >= LONG_MS
  }
}
