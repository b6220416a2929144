import { LRUCache } from 'lru-cache'

/** How a request stands to the budget of who makes it. */
export interface Allowance {
  /** It may be answered, and is counted; else nothing is. */
  readonly fits: boolean
  /** Requests left until the window ends. */
  readonly remaining: number
  /** Whole seconds until then. */
  readonly resetSeconds: number
}

interface Window {
  used: number
  /** On the clock. */
  readonly end: number
}

/**
 * So many requests a window for each holder; a window begins with a holder's first request after the one before.
 * Several requests that come as one are counted as one: all of them, or none.
 */
export class RequestBudget {
  readonly #max: number
  readonly #windowMs: number
  readonly #now: () => number
  readonly #windows: LRUCache<string, Window>

  /**
   * @param max requests a window
   * @param holders most that are counted at once; the longest unused are forgotten
   * @param now clock in milliseconds
   */
  constructor(max: number, windowMs: number, holders: number, now: () => number = () => performance.now()) {
    this.#max = max
    this.#windowMs = windowMs
    this.#now = now
    this.#windows = new LRUCache({ max: holders })
  }

  /** @param requests how many are asked for at once */
  take(holder: string, requests = 1): Allowance {
    const now = this.#now()
    let window = this.#windows.get(holder)
    if (window === undefined || window.end <= now) {
      window = { used: 0, end: now + this.#windowMs }
      this.#windows.set(holder, window)
    }
    const fits = window.used + requests <= this.#max
    if (fits) window.used += requests
    return { fits, remaining: this.#max - window.used, resetSeconds: Math.ceil((window.end - now) / 1000) }
  }
}
