import { SharedCache } from '../collections/shared-cache.ts'

/** What is left of a budget, for example when a request does not fit. */
export interface Shortage {
  /** Requests that are left until the window ends. */
  readonly remaining: number
  /** Whole seconds until the window ends. */
  readonly resetSeconds: number
}

interface Window {
  used: number
  /** The end of the window, on the clock. */
  readonly end: number
}

/**
 * Limits the requests of each holder in a window of time. A window begins with the holder's first request after its
 * last window has ended. Requests that arrive together are counted together: either all of them or none.
 */
export class RequestBudget {
  readonly #max: number
  readonly #windowMs: number
  readonly #now: () => number
  readonly #windows: SharedCache<Window>

  /**
   * @param max requests in a window
   * @param holders most holders that are counted at once; beyond that, an entry of whoever has the most is dropped
   * (SharedCache)
   * @param now clock in milliseconds
   */
  constructor(max: number, windowMs: number, holders: number, now: () => number = () => performance.now()) {
    this.#max = max
    this.#windowMs = windowMs
    this.#now = now
    this.#windows = new SharedCache(holders, windowMs, now)
  }

  /** Says why so many more requests do not fit; undefined if they do. Nothing is counted. */
  shortage(holder: string, requests = 1): Shortage | undefined {
    const window = this.#windows.get(holder)
    const now = this.#now()
    if (window === undefined || window.end <= now || window.used + requests <= this.#max) return undefined
    return shortageIn(window, this.#max, now)
  }

  /** What a holder has left in its window, or would have in a new one. */
  left(holder: string): Shortage {
    const window = this.#windows.get(holder)
    const now = this.#now()
    const isOver = window === undefined || window.end <= now
    return shortageIn(isOver ? { used: 0, end: now + this.#windowMs } : window, this.#max, now)
  }

  /** Takes back one counted request, if there is one. */
  giveBack(holder: string): void {
    const window = this.#windows.get(holder)
    if (window !== undefined && window.used > 0) window.used--
  }

  /**
   * Counts requests if they fit.
   * @param requests how many arrive together
   * @param from an owner, such as an address, that may have many holders; its new holders displace only its own
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
