import { AddressBudget } from '../../fairness/address-budget.ts'
import { CredentialFailures, failureLimits } from '../../fairness/credential-failures.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import type { Credential } from '../../session/credential.ts'
import { Intercepted } from '../../upstream/errors.ts'
import { CallerGates } from '../../upstream/guard/caller-gates.ts'
import { busy, busyShare } from '../../upstream/guard/gate.ts'
import { Guard } from '../../upstream/guard/guard.ts'
import type { GuardOptions } from '../../upstream/guard/guard-options.ts'
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
 * Anybody can make up credentials, and each causes a request to the forge before anything else is known about it. So a
 * credential that the forge has recently accepted has its own turns. All others take the turns of the address that they
 * come from.
 */

export const checkLimits = {
  /**
   * Checks at once, shared among addresses, and how many of them may be for credentials that the forge has not recently
   * accepted.
   */
  all: { limit: 64, queue: 1_024, waitMs: 5_000, shared: true },
  strangers: { limit: 32, queue: 1_024, waitMs: 5_000, shared: true },
  /** Checks at once of one address. Each known credential counts separately, and all unknown ones count as one. */
  one: { limit: 32, queue: 512, waitMs: 5_000 },
  /** Milliseconds from the start of the wait to the answer. */
  totalMs: 10_000,
  /**
   * Milliseconds for a proxy to connect. This is shorter than a check, so that a silent proxy can be told from a slow
   * forge.
   */
  tunnelMs: 4_000,
  /**
   * How many recently accepted credentials of one address the forge may refuse per minute. A few expire without any
   * attack. Beyond this number each of them counts as a failure, too (fairness/credential-failures.ts).
   */
  ended: 60
} as const

/** The forge has refused too many credentials of one address. */
export class TooManyFailuresError extends Error {
  /** Whole seconds until the forge is asked again. */
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super('Too many credentials from this address were not accepted.')
    this.name = 'TooManyFailuresError'
    this.retryAfter = retryAfter
  }
}

interface CheckerEvents extends Pick<GuardOptions, 'onCircuit' | 'onExchange' | 'onTrouble' | 'standstill'> {
  /** Called when the forge stops saying which application a bearer token was issued to, and when it says so again. */
  readonly onAppTold?: (isTold: boolean) => void
}

/** Asks the forge about credentials. It limits how many checks run at once, and pauses while the forge is down. */
export class CredentialChecker {
  readonly #options: CredentialCheckOptions
  readonly #known: KnownCredentials
  readonly #guard: Guard
  readonly #failures: CredentialFailures
  readonly #ended: AddressBudget
  readonly #onAppTold: CheckerEvents['onAppTold']
  #isAppTold = true

  /** @param now clock of durations in milliseconds */
  constructor(
    options: CredentialCheckOptions,
    { onAppTold, ...events }: CheckerEvents = {},
    now: () => number = () => performance.now()
  ) {
    this.#options = options
    this.#onAppTold = onAppTold
    this.#known = new KnownCredentials(now)
    this.#failures = new CredentialFailures(now)
    this.#ended = new AddressBudget(checkLimits.ended, failureLimits.windowMs, failureLimits.addresses, now)
    this.#guard = new Guard({
      limits: checkLimits.all,
      strangers: checkLimits.strangers,
      knows: key => this.#known.has(key),
      callers: new CallerGates(checkLimits.one, busy('of this caller')),
      // A caller whose login is renewed has had any number of tokens, including dead ones.
      addresses: new ByAddress(
        new CallerGates({ ...checkLimits.one, shared: true }, busyShare('of this address'))
      ),
      byAddress: true,
      anyTells: true,
      resumed: new FairTurns(turnShares.resumed),
      now,
      ...events
    })
  }

  /** For how long the forge has answered no check, in milliseconds. */
  get silentMs(): number {
    return this.#guard.silentMs
  }

  /**
   * @param from the address that sent the credential (base/holders.ts)
   * @param isSealed whether this service has sealed the credential, which it does only after a check: it is not made up
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
    // Recorded each time: a caller who continues for hours must not become a stranger at an address that has used up
    // its failures.
    if (verdict.good) {
      this.#known.taken(key, from)
      if (credential.kind === 'bearer') this.#noteApp(verdict.ofAnyApp !== true)
    } else this.#count(this.#known.refused(key, from), from)
    return verdict
  }

  /**
   * Records a credential that this service got from the forge, and that so is not made up.
   * @param from the address that the credential is given to
   */
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

  /** @param before runs when a request's turn has come, and may refuse the request */
  #asking(caller: string, from: string, before: () => void = () => {}): Ask {
    const end = this.#guard.now() + checkLimits.totalMs
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

/**
 * Whether a proxy's page refused a check in a way in which a forge's own answer would be a verdict on the credential.
 */
const isRefusalByPage = (error: unknown): boolean =>
  error instanceof CheckUnavailableError &&
  error.cause instanceof Intercepted &&
  (error.cause.isOfCredential || error.cause.status === 400)
