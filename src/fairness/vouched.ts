import { HOUR_MS } from '../base/units.ts'

/** How long a forge's answer vouches for a caller, in milliseconds, and for how many callers at once. */
export const vouchLimits = { forMs: HOUR_MS, callers: 8_192 } as const

/**
 * Callers whose credential a forge has recently accepted. They are kept in two generations. The older generation is
 * forgotten when the younger one is full, or when half of the time is over. So a caller is known for at least half of
 * the time after its last success, unless enough others succeed meanwhile to fill a generation. All callers share one
 * timestamp; an LRU cache would keep one for each caller, at each of many forges.
 */
export class Vouched {
  readonly #now: () => number
  #young = new Set<string>()
  #old = new Set<string>()
  #begun: number

  /** @param now clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now
    this.#begun = now()
  }

  /** Whether no caller is known. */
  get isEmpty(): boolean {
    this.#age()
    return this.#young.size === 0 && this.#old.size === 0
  }

  has(caller: string): boolean {
    this.#age()
    return this.#young.has(caller) || this.#old.has(caller)
  }

  /**
   * @param caller a digest of its token: the token itself must not be kept for so long
   * @returns whether the caller was unknown until now
   */
  add(caller: string): boolean {
    const isNew = !this.has(caller)
    this.#young.add(caller)
    if (this.#young.size > vouchLimits.callers / 2) this.#turn()
    return isNew
  }

  #age(): void {
    const age = this.#now() - this.#begun
    if (age < vouchLimits.forMs / 2) return
    this.#turn()
    if (age >= vouchLimits.forMs) this.#old = new Set()
  }

  #turn(): void {
    this.#old = this.#young
    this.#young = new Set()
    this.#begun = this.#now()
  }
}
