import { SharedCache } from '../shared-cache.ts'

/** What is left of a budget that a request does not fit into. */
export interface Shortage {
  /** Requests until the window ends. */
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
  readonly #windows: SharedCache<Window>

  /**
   * @param max requests a window
   * @param holders most that are counted at once; with more, who has most of them loses one (SharedCache)
   * @param now clock in milliseconds
   */
  constructor(max: number, windowMs: number, holders: number, now: () => number = () => performance.now()) {
    this.#max = max
    this.#windowMs = windowMs
    this.#now = now
    this.#windows = new SharedCache(holders, windowMs, now)
  }

  /** Why so many more requests do not fit; nothing is counted. */
  shortage(holder: string, requests = 1): Shortage | undefined {
    const window = this.#windows.get(holder)
    const now = this.#now()
    if (window === undefined || window.end <= now || window.used + requests <= this.#max) return undefined
    return shortageIn(window, this.#max, now)
  }

  /** Counts one less, where there is one. */
  giveBack(holder: string): void {
    const window = this.#windows.get(holder)
    if (window !== undefined && window.used > 0) window.used--
  }

  /**
   * Counts requests, if they fit.
   * @param requests how many are asked for at once
   * @param from who may have many holders, such as an address, and pushes out its own by them
   * @returns undefined, or why nothing was counted
   */
  take(holder: string, requests = 1, from = holder): Shortage | undefined {
    const now = this.#now()
    let window = this.#windows.get(holder)
    if (window === undefined || window.end <= now) {
      window = { used: 0, end: now + this.#windowMs }
      this.#windows.set(holder, window, from)
    }
    if (window.used + requests > this.#max) return shortageIn(window, this.#max, now)
    window.used += requests
    return undefined
  }
}

const shortageIn = ({ used, end }: Window, max: number, now: number): Shortage => ({
  remaining: max - used,
  resetSeconds: Math.ceil((end - now) / 1000)
})
