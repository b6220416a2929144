/** Milliseconds of the event loop that one answer may take without any consequence. */
export const freeMs = {
  /** For a caller's own forge: a page of fifty records. */
  foreign: 1,
  /** For the operator's forge, which many share behind one address: the largest pages that people ask for. */
  own: 4
} as const

/**
 * A holder counts as busy for this many times the milliseconds that its answer took. So it gets a tenth of the event
 * loop.
 */
const BUSY_TIMES = 10

/**
 * Remembers whose answers have recently taken much of the event loop. Neither the size of an answer nor the number of
 * its values tells what it costs to read and to show; that is known only afterwards.
 */
export class BusyHolders {
  readonly #now: () => number
  /** Times on the clock until which holders count as busy. The one that was set last is at the end. */
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
