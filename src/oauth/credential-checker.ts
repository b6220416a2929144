import { holderOf } from '../edge/address.ts'
import { connectionLimits } from '../edge/connection-limits.ts'
import { FairTurns } from '../edge/fair-turns.ts'
import { Vouched } from '../edge/vouched.ts'
import type { Credential } from '../session/credential.ts'
import { RequestBudget } from '../session/request-budget.ts'
import { CallerGates } from '../upstream/guard/caller-gates.ts'
import { busy } from '../upstream/guard/gate.ts'
import { Guard, type GuardEvents } from '../upstream/guard/guard.ts'
import { type Ask, askForge, type CredentialCheckOptions, type Verdict } from './credential-check.ts'
import { credentialKey } from './credential-key.ts'

/*
 * Anybody can make up credentials, and each is a request to the forge before anything else is known of it. So a
 * credential that the forge has taken lately is told apart by itself, and any other by the address it comes from.
 */

export const checkLimits = {
  /** Checks at once, and how many of them of credentials that the forge has not taken lately. */
  all: { limit: 64, queue: 1_024, waitMs: 5_000, shared: true },
  strangers: { limit: 32, queue: 1_024, waitMs: 5_000, shared: true },
  /** Of one address, or one credential that is known. */
  one: { limit: 32, queue: 512, waitMs: 5_000 },
  /** From the first wait to the answer, in milliseconds. */
  totalMs: 10_000,
  /** Credentials that the forge may refuse to one address a minute, before those it does not know are not asked about. */
  failures: 60,
  /** Addresses whose failures are counted. */
  addresses: 10_000
} as const

/** The forge has refused too many credentials of one address. */
export class TooManyFailuresError extends Error {
  /** Whole seconds until it is asked again. */
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super('Too many credentials from this address were not accepted.')
    this.name = 'TooManyFailuresError'
    this.retryAfter = retryAfter
  }
}

/** Asks the forge about credentials, so many at a time, and leaves it alone while it is down. */
export class CredentialChecker {
  readonly #options: CredentialCheckOptions
  readonly #vouched: Vouched
  readonly #guard: Guard
  readonly #failures: RequestBudget

  /** @param clock of durations in milliseconds */
  constructor(
    options: CredentialCheckOptions,
    events: Pick<GuardEvents, 'onCircuit' | 'onTrouble'> = {},
    clock: () => number = () => performance.now()
  ) {
    this.#options = options
    this.#vouched = new Vouched(clock)
    this.#failures = new RequestBudget(checkLimits.failures, 60_000, checkLimits.addresses, clock)
    this.#guard = new Guard({
      limits: checkLimits.all,
      strangers: checkLimits.strangers,
      vouched: this.#vouched,
      callers: new CallerGates(checkLimits.one, busy('of this caller')),
      resumed: new FairTurns(connectionLimits.turns),
      clock,
      ...events
    })
  }

  /**
   * @param from the address that brought the credential; undefined when this service has sealed it, after a check: then
   * it is no made-up one
   * @throws CheckUnavailableError, TooManyFailuresError
   */
  async ask(credential: Credential, from: string | undefined): Promise<Verdict> {
    const key = credentialKey(credential)
    if (from === undefined) this.#vouched.add(key)
    const address = from === undefined || this.#vouched.has(key) ? undefined : holderOf(from)
    const asking =
      address === undefined ? this.#asking(key) : this.#asking(address, () => this.#refuse(address))
    const verdict = await askForge(credential, this.#options, asking)
    // Each time: whoever goes on for hours must not become a stranger to an address that has used up its failures.
    if (verdict.good) this.#vouched.add(key)
    else if (address !== undefined) this.#failures.take(address)
    return verdict
  }

  /** The credential is no made-up one: this service has it from the forge. */
  vouch(credential: Credential): void {
    this.#vouched.add(credentialKey(credential))
  }

  #refuse(address: string): void {
    const short = this.#failures.shortage(address)
    if (short !== undefined) throw new TooManyFailuresError(short.resetSeconds)
  }

  /** @param before runs when a request's turn has come, and may refuse it */
  #asking(caller: string, before: () => void = () => {}): Ask {
    const end = this.#guard.clock() + checkLimits.totalMs
    const call = { caller, proves: false, reads: false, signal: undefined, end }
    return attempt => {
      before()
      return this.#guard.call(call, async leftMs => {
        before()
        return attempt(leftMs)
      })
    }
  }
}
