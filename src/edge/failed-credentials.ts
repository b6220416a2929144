import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'
import { RequestBudget } from '../session/request-budget.ts'
import { holderOf } from './address.ts'
import { Vouched } from './vouched.ts'

export const failureLimits = {
  /** Different credentials that forges may refuse to one address in a minute, before those that none has taken lately are. */
  failures: 60,
  /** The same by pages of what stands before a forge: these are no word on the token, but may depend on it. */
  byPages: 600,
  windowMs: 60_000,
  /** Addresses whose failures are counted. */
  addresses: 10_000
} as const

/**
 * Bounds how many made-up tokens an address has tried at forges through this service. Whose token a forge has taken
 * lately goes on, wherever it comes from.
 */
export class FailedCredentials {
  readonly #failures: RequestBudget
  readonly #byPages: RequestBudget
  readonly #known: Vouched
  /** An agent that goes on with an expired token is one failure, not many. */
  readonly #counted: LRUCache<string, true>

  /** @param now clock of durations in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    const { addresses, byPages, failures, windowMs } = failureLimits
    this.#failures = new RequestBudget(failures, windowMs, addresses, now)
    this.#byPages = new RequestBudget(byPages, windowMs, addresses, now)
    this.#known = new Vouched(now)
    this.#counted = new LRUCache(atMost(addresses, windowMs, now))
  }

  /** A forge has served a call with it. @param principal a digest of the token */
  taken(principal: string): void {
    this.#known.add(principal)
  }

  /** Whether a forge has taken it lately. @param principal a digest of the token */
  knows(principal: string): boolean {
    return this.#known.has(principal)
  }

  /**
   * A forge did not accept it. One that a forge has taken lately is not made up, and does not count.
   * @param address as it came from the network @param byPage what stands before the forge said so, in its place
   */
  failed(principal: string, address: string, byPage: boolean): void {
    if (this.knows(principal)) return
    const holder = holderOf(address)
    const failure = `${holder} ${principal} ${byPage}`
    if (this.#counted.has(failure)) return
    this.#counted.set(failure, true)
    const budget = byPage ? this.#byPages : this.#failures
    budget.take(holder)
  }

  /**
   * @param principal asked for only where it matters
   * @returns whole seconds until such a credential is let in again; undefined when it is now
   */
  refuses(address: string, principal: () => string): number | undefined {
    const holder = holderOf(address)
    const short = this.#failures.shortage(holder) ?? this.#byPages.shortage(holder)
    return short === undefined || this.knows(principal()) ? undefined : short.resetSeconds
  }
}
