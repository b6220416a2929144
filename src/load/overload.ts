/** Milliseconds of overload after which a replica asks for no more traffic. */
const LONG_MS = 10_000

/** Distinguishes a long overload from a short one, by samples taken at regular intervals. */
export class OverloadWatch {
  #since: number | undefined

  /** Takes a sample. @param now clock in milliseconds */
  sample(overloaded: boolean, now: number): void {
    if (!overloaded) this.#since = undefined
    else this.#since ??= now
  }

  /** Whether the last sample showed overload. */
  get isNow(): boolean {
    return this.#since !== undefined
  }

  isLong(now: number): boolean {
    return this.#since !== undefined && now - this.#since >= LONG_MS
  }
}
