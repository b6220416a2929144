import { LRUCache } from 'lru-cache'
import type { CancelSignal } from '../../base/cancellation.ts'
import { atMost } from '../../collections/at-most.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { SharedWait } from '../../fairness/shared-wait.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import type { Credential } from '../../session/credential.ts'
import type { Verdict } from '../forge/credential-check.ts'
import type { CredentialChecker } from './credential-checker.ts'
import { credentialKey } from './credential-key.ts'

/** How long a verdict is kept, in milliseconds: a revoked token keeps working for at most GOOD_MS. */
const GOOD_MS = 60_000
const BAD_MS = 60_000

/** Most verdicts of each kind, good and bad: they take a few MB. */
const MAX_VERDICTS = 10_000

/** Caches verdicts on credentials. The forge is asked once about each, however many calls wait for the verdict. */
export class CredentialCache {
  readonly #good: LRUCache<string, Verdict>
  /**
   * Bad verdicts are kept apart from the good ones, because anybody can make up enough tokens to displace all others.
   */
  readonly #bad: LRUCache<string, Verdict>
  readonly #asking = new Map<string, SharedWait<Verdict>>()
  readonly #ask: CredentialChecker['ask']
  readonly #resumed = new FairTurns(turnShares.resumed)

  /**
   * @param ask returns the verdict, or throws if there is none; an error is not cached
   * @param now clock of durations in milliseconds; with a clock that may be set back, a revoked token would work longer
   * @param max most verdicts of each kind
   */
  constructor(
    ask: CredentialChecker['ask'],
    now: () => number = () => performance.now(),
    max = MAX_VERDICTS
  ) {
    this.#ask = ask
    this.#good = new LRUCache(atMost(max, GOOD_MS, now))
    this.#bad = new LRUCache(atMost(max, BAD_MS, now))
  }

  /**
   * Returns the verdict on a credential, from the cache or by asking the forge.
   * @param from the address that sent the credential
   * @param gone ends the wait, but not the request, because others may wait for the same verdict
   * @param isSealed whether the credential comes from a value that this service has sealed
   * @throws whatever `ask` throws, and CancelledError
   */
  async verdictOn(
    credential: Credential,
    from: string,
    gone?: CancelSignal,
    isSealed = false
  ): Promise<Verdict> {
    const key = credentialKey(credential)
    const known = this.#good.get(key) ?? this.#bad.get(key)
    if (known !== undefined) return known
    const asking = this.#asking.get(key) ?? this.#begin(key, credential, from, isSealed)
    // The first caller takes a turn, too: the forge may answer about many credentials at once.
    return this.#resumed.behind(from, asking, gone)
  }

  /** Forgets the verdict on a credential that has ended, or may have. */
  forget(credential: Credential): void {
    this.#good.delete(credentialKey(credential))
  }

  #begin(key: string, credential: Credential, from: string, isSealed: boolean): SharedWait<Verdict> {
    const asked = this.#ask(credential, from, isSealed).then(verdict => {
      this.#remember(key, verdict)
      return verdict
    })
    const asking = new SharedWait(asked, () => this.#asking.delete(key))
    this.#asking.set(key, asking)
    return asking
  }

  #remember(key: string, verdict: Verdict): void {
    const { good, expiresIn = Infinity } = verdict
    if (good) this.#good.set(key, verdict, { ttl: Math.max(1, Math.min(GOOD_MS, expiresIn * 1000)) })
    else this.#bad.set(key, verdict)
  }
}
