import { holderOf } from '../../base/holders.ts'
import { SharedCache } from '../../collections/shared-cache.ts'
import { CredentialFailures, failureLimits } from '../../fairness/credential-failures.ts'
import { Vouched } from '../../fairness/vouched.ts'

/**
 * The tokens that are tried at forges through this service: which of them a forge has taken, and how many that none has
 * an address may try. A token that a forge has recently accepted is let through to that forge from any address. Callers are told apart by token and forge (principalAt),
 * because a forge that accepts any token must not vouch for tokens at another forge.
 */
export class TriedTokens {
  readonly #failures: CredentialFailures
  readonly #known: Vouched
  /** Failures that were already counted: an agent that keeps using an expired token is one failure, not many. */
  readonly #counted: SharedCache<true>

  /** @param now clock of durations in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#failures = new CredentialFailures(now)
    this.#known = new Vouched(now)
    this.#counted = new SharedCache(failureLimits.addresses, failureLimits.windowMs, now)
  }

  /**
   * Records that a forge has served a call with a credential.
   * @param principal as from principalAt
   */
  taken(principal: string): void {
    this.#known.add(principal)
  }

  /**
   * Whether the forge has recently accepted the credential.
   * @param principal as from principalAt
   */
  wasTaken(principal: string): boolean {
    return this.#known.has(principal)
  }

  /**
   * Records that a forge did not accept a credential. A credential that was recently accepted is not made up, and does
   * not count.
   * @param principal as from principalAt
   * @param address of the client, as the network reports it
   * @param byPage whether a proxy in front of the forge refused the credential
   */
  failed(principal: string, address: string, byPage: boolean): void {
    if (this.wasTaken(principal)) return
    const holder = holderOf(address)
    const failure = `${holder} ${principal} ${byPage}`
    if (this.#counted.get(failure)) return
    this.#counted.set(failure, true, holder)
    this.#failures.add(holder, byPage)
  }

  /**
   * @param principal returns what principalAt returns; called only if it matters
   * @returns whole seconds until the credential may be tried again; undefined when it may be tried now
   */
  refuses(address: string, principal: () => string): number | undefined {
    const seconds = this.#failures.refuses(holderOf(address))
    return seconds === undefined || this.wasTaken(principal()) ? undefined : seconds
  }
}
