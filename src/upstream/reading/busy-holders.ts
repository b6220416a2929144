/** Milliseconds of the event loop that one answer may take without any consequence. */
export const freeMs = {
  /** Of a caller's own forge: a page of fifty records. */
  foreign: 1,
  /** Of the operator's, which many share behind one address: the largest pages that people ask for. */
  own: 4
} as const

/** How many times as long as an answer took its holder counts as busy: a tenth of the event loop is left to it. */
const BUSY_TIMES = 10

/**
 * Remembers whose answers have taken much of the event loop of late. Neither the size of an answer nor the number of its
 * values tells what it costs to read and to show; that is known only afterwards.
 */
export class BusyHolders {
  readonly #now: () => number
  /** Times on the clock until which holders count as busy, the one that was set last at the end. */
  readonly #until = new Map<string, number>()

  /** @param now clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Number of holders that are remembered. */
  get size(): number {
    return this.#until.size
  }

  has(holder: string): boolean {
    return (this.#until.get(holder) ?? 0) > this.#now()
  }

  /** Reports how many milliseconds of the event loop an answer has taken. @param free as in freeMs */
  took(holder: string, ms: number, free: number = freeMs.foreign): void {
    if (ms < free) return
    const now = this.#now()
    const until = Math.max(now, this.#until.get(holder) ?? 0) + BUSY_TIMES * ms
    this.#until.delete(holder)
    this.#until.set(holder, until)
    for (const [name, end] of this.#until) {
      if (end > now) break
      this.#until.delete(name)
    }
  }
}
