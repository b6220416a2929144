/** When a forge is considered down, and how long no requests are sent to it. Times are in milliseconds. */
export const breakerLimits = {
  windowMs: 10_000,
  /** Fewest calls in a window for the forge to be judged. */
  volume: 20,
  failureRatio: 0.5,
  firstOpenMs: 2_000,
  longestOpenMs: 30_000,
  /** Callers who are told apart; all others count as one caller who has failed. */
  callers: 1_000
} as const

/**
 * A circuit breaker for a forge that answers nobody. Enough failures in a window open it. While open, it refuses
 * callers whose calls failed, except for one probe at a time, and it closes with the first call that is answered. A
 * caller who has not failed yet still gets its own try, so that no caller can make a forge unreachable for others.
 */
export class Breaker {
  readonly #now: () => number
  readonly #onChange: (open: boolean) => void
  readonly #failing = new Set<string>()
  #windowStart = 0
  #calls = 0
  #failures = 0
  /** How long it stays open, in milliseconds; 0 while closed. */
  #openMs = 0
  #nextProbe = 0
  #probe: string | undefined

  /** @param now clock in milliseconds */
  constructor(now: () => number, onChange: (open: boolean) => void = () => {}) {
    this.#now = now
    this.#onChange = onChange
  }

  /** @returns 0 if this caller may call now, otherwise the milliseconds until a try makes sense */
  refuses(caller: string): number {
    if (this.#openMs === 0) return 0
    if (!this.#failing.has(caller) && this.#failing.size < breakerLimits.callers) return 0
    const wait = this.#nextProbe - this.#now()
    if (wait > 0) return wait
    // A probe that ends without a result blocks nobody: the next may start after the same time.
    this.#nextProbe = this.#now() + this.#openMs
    this.#probe = caller
    return 0
  }

  /** @param answered false for no connection, no answer in time, or a status from 500 */
  record(caller: string, answered: boolean): void {
    if (this.#openMs > 0) this.#recordOpen(caller, answered)
    else this.#recordClosed(caller, answered)
  }

  #recordOpen(caller: string, answered: boolean): void {
    if (answered) {
      this.#openMs = 0
      this.#begin(this.#now())
      this.#onChange(false)
      return
    }
    this.#remember(caller)
    if (caller !== this.#probe) return
    this.#probe = undefined
    this.#open(Math.min(this.#openMs * 2, breakerLimits.longestOpenMs))
  }

  #recordClosed(caller: string, answered: boolean): void {
    const now = this.#now()
    if (now - this.#windowStart > breakerLimits.windowMs) this.#begin(now)
    this.#calls++
    if (answered) return
    this.#failures++
    this.#remember(caller)
    if (this.#calls < breakerLimits.volume) return
    if (this.#failures < this.#calls * breakerLimits.failureRatio) return
    this.#open(breakerLimits.firstOpenMs)
    this.#onChange(true)
  }

  #open(ms: number): void {
    this.#openMs = ms
    this.#nextProbe = this.#now() + ms
  }

  #begin(now: number): void {
    this.#windowStart = now
    this.#calls = 0
    this.#failures = 0
    this.#probe = undefined
    this.#failing.clear()
  }

  #remember(caller: string): void {
    if (this.#failing.size < breakerLimits.callers) this.#failing.add(caller)
  }
}
