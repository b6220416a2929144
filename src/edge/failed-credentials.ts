import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'
import { holderOf } from './address.ts'
import { CredentialFailures, failureLimits } from './credential-failures.ts'
import { Vouched } from './vouched.ts'

/**
 * Bounds how many made-up tokens an address has tried at forges through this service. Whose token a forge has taken
 * lately goes on, wherever it comes from.
 */
export class FailedCredentials {
  readonly #failures: CredentialFailures
  readonly #known: Vouched
  /** An agent that goes on with an expired token is one failure, not many. */
  readonly #counted: LRUCache<string, true>

  /** @param now clock of durations in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#failures = new CredentialFailures(now)
    this.#known = new Vouched(now)
    this.#counted = new LRUCache(atMost(failureLimits.addresses, failureLimits.windowMs, now))
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
    this.#failures.add(holder, byPage)
  }

  /**
   * @param principal asked for only where it matters
   * @returns whole seconds until such a credential is let in again; undefined when it is now
   */
  refuses(address: string, principal: () => string): number | undefined {
    const seconds = this.#failures.refuses(holderOf(address))
    return seconds === undefined || this.knows(principal()) ? undefined : seconds
  }
}
