import { AddressBudget } from '../../fairness/address-budget.ts'
import { CredentialFailures, failureLimits } from '../../fairness/credential-failures.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import type { Credential } from '../../session/credential.ts'
import { Intercepted } from '../../upstream/errors.ts'
import { CallerGates } from '../../upstream/guard/caller-gates.ts'
import { busy, busyShare } from '../../upstream/guard/gate.ts'
import { Guard, type GuardOptions } from '../../upstream/guard/guard.ts'
import { ByAddress } from '../../upstream/guard/turns.ts'
import {
  type Ask,
  askForge,
  CheckUnavailableError,
  type CredentialCheckOptions,
  type Verdict
} from '../forge/credential-check.ts'
import { credentialKey } from './credential-key.ts'
import { KnownCredentials } from './known-credentials.ts'

/*
 * Anybody can make up credentials, and each is a request to the forge before anything else is known of it. So a
 * credential that the forge has taken lately is told apart by itself, and any other by the address it comes from.
 */

export const checkLimits = {
  /** Checks at once, which addresses share, and how many of them of credentials that the forge has not taken lately. */
  all: { limit: 64, queue: 1_024, waitMs: 5_000, shared: true },
  strangers: { limit: 32, queue: 1_024, waitMs: 5_000, shared: true },
  /** Of one address; those of credentials that are known are told apart, and all others count as one. */
  one: { limit: 32, queue: 512, waitMs: 5_000 },
  /** From the first wait to the answer, in milliseconds. */
  totalMs: 10_000,
  /**
   * Time for a proxy to connect, in milliseconds: shorter than a check, so that a silent proxy can be told from a slow
   * forge.
   */
  tunnelMs: 4_000,
  /**
   * Recently accepted credentials that the forge may refuse to one address per minute. It is no attack if some of them
   * expire, but beyond this number each counts as a failure, too (fairness/credential-failures.ts).
   */
  ended: 60
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

export interface CheckerEvents
  extends Pick<GuardOptions, 'onCircuit' | 'onExchange' | 'onTrouble' | 'ranAgainAt'> {
  /** The forge has stopped saying which application a bearer was issued to, or says it again. */
  readonly onAppTold?: (isTold: boolean) => void
}

/** Asks the forge about credentials, so many at a time, and leaves it alone while it is down. */
export class CredentialChecker {
  readonly #options: CredentialCheckOptions
  readonly #known: KnownCredentials
  readonly #guard: Guard
  readonly #failures: CredentialFailures
  readonly #ended: AddressBudget
  readonly #onAppTold: CheckerEvents['onAppTold']
  #isAppTold = true

  /** @param clock of durations in milliseconds */
  constructor(
    options: CredentialCheckOptions,
    { onAppTold, ...events }: CheckerEvents = {},
    clock: () => number = () => performance.now()
  ) {
    this.#options = options
    this.#onAppTold = onAppTold
    this.#known = new KnownCredentials(clock)
    this.#failures = new CredentialFailures(clock)
    this.#ended = new AddressBudget(checkLimits.ended, failureLimits.windowMs, failureLimits.addresses, clock)
    this.#guard = new Guard({
      limits: checkLimits.all,
      strangers: checkLimits.strangers,
      knows: key => this.#known.has(key),
      callers: new CallerGates(checkLimits.one, busy('of this caller')),
      // Whose logins are renewed has any number of tokens, dead ones too.
      addresses: new ByAddress(
        new CallerGates({ ...checkLimits.one, shared: true }, busyShare('of this address'))
      ),
      byAddress: true,
      anyTells: true,
      resumed: new FairTurns(turnShares.resumed),
      clock,
      ...events
    })
  }

  /** For how long the forge has answered no check, in milliseconds. */
  get silentMs(): number {
    return this.#guard.silentMs
  }

  /**
   * @param from the address that brought the credential (base/holders.ts)
   * @param isSealed this service has sealed it, after a check: it is no made-up one
   * @throws CheckUnavailableError, TooManyFailuresError
   */
  async ask(credential: Credential, from: string, isSealed = false): Promise<Verdict> {
    const key = credentialKey(credential)
    if (isSealed) this.#known.takenOnce(key, from)
    const asking = this.#known.has(key)
      ? this.#asking(key, from)
      : this.#asking(from, from, () => this.#refuse(from))
    const verdict = await askForge(credential, this.#options, asking).catch(error => {
      if (isRefusalByPage(error) && !this.#known.has(key)) this.#failures.add(from, true)
      throw error
    })
    // Each time: whoever goes on for hours must not become a stranger to an address that has used up its failures.
    if (verdict.good) {
      this.#known.taken(key, from)
      if (credential.kind === 'bearer') this.#noteApp(verdict.ofAnyApp !== true)
    } else this.#count(this.#known.refused(key, from), from)
    return verdict
  }

  /** The credential is no made-up one: this service has it from the forge. @param from the address it is given to */
  vouch(credential: Credential, from: string): void {
    this.#known.taken(credentialKey(credential), from)
  }

  #noteApp(isTold: boolean): void {
    if (isTold === this.#isAppTold) return
    this.#isAppTold = isTold
    this.#onAppTold?.(isTold)
  }

  #count(hasEnded: boolean, from: string): void {
    if (!hasEnded || this.#ended.take(from) !== undefined) this.#failures.add(from, false)
  }

  #refuse(from: string): void {
    const seconds = this.#failures.refuses(from)
    if (seconds !== undefined) throw new TooManyFailuresError(seconds)
  }

  /** @param before runs when a request's turn has come, and may refuse it */
  #asking(caller: string, from: string, before: () => void = () => {}): Ask {
    const end = this.#guard.clock() + checkLimits.totalMs
    const call = { caller, from, proves: false, reads: false, signal: undefined, end }
    return (attempt, at) => {
      before()
      return this.#guard.call({ ...call, at }, async leftMs => {
        before()
        return attempt(leftMs)
      })
    }
  }
}

/** Where a forge's own answer would be the word on the credential. */
const isRefusalByPage = (error: unknown): boolean =>
  error instanceof CheckUnavailableError &&
  error.cause instanceof Intercepted &&
  (error.cause.isOfCredential || error.cause.status === 400)
