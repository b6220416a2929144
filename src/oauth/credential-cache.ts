import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'
import { connectionLimits } from '../edge/connection-limits.ts'
import { FairTurns } from '../edge/fair-turns.ts'
import type { Credential } from '../session/credential.ts'
import type { Verdict } from './credential-check.ts'
import type { CredentialChecker } from './credential-checker.ts'
import { credentialKey } from './credential-key.ts'

/** How long a verdict stands, in milliseconds: a revoked token is good for at most the first. */
const GOOD_MS = 60_000
const BAD_MS = 60_000

/** Of each kind: a few MB. */
const MAX_VERDICTS = 10_000

/** Verdicts about credentials, each asked for once however many calls wait for it. */
export class CredentialCache {
  readonly #good: LRUCache<string, Verdict>
  /** Apart from the good ones: anybody can make up as many as push all others out. */
  readonly #bad: LRUCache<string, Verdict>
  readonly #asking = new Map<string, Promise<Verdict>>()
  readonly #ask: CredentialChecker['ask']
  readonly #resumed = new FairTurns(connectionLimits.turns)

  /**
   * @param ask gives the verdict, or throws where there is none; that is not remembered
   * @param now clock in milliseconds
   */
  constructor(ask: CredentialChecker['ask'], now: () => number = Date.now, max = MAX_VERDICTS) {
    this.#ask = ask
    this.#good = new LRUCache(atMost(max, GOOD_MS, now))
    this.#bad = new LRUCache(atMost(max, BAD_MS, now))
  }

  /**
   * @param from the address that brought it
   * @param isSealed it comes out of a value that this service has sealed
   * @throws what `ask` throws
   */
  async verdictOn(credential: Credential, from: string, isSealed = false): Promise<Verdict> {
    const key = credentialKey(credential)
    const known = this.#good.get(key) ?? this.#bad.get(key)
    return known ?? this.#askOnce(key, credential, from, isSealed)
  }

  /** Forgets what is known of a token, which has ended or may have. */
  forget(token: string): void {
    this.#good.delete(credentialKey({ kind: 'bearer', token }))
  }

  #askOnce(key: string, credential: Credential, from: string, isSealed: boolean): Promise<Verdict> {
    const running = this.#asking.get(key)
    if (running !== undefined) return this.#resumed.behind(from, running)
    const asking = this.#ask(credential, from, isSealed)
      .then(verdict => {
        this.#remember(key, verdict)
        return verdict
      })
      .finally(() => this.#asking.delete(key))
    this.#asking.set(key, asking)
    return asking
  }

  #remember(key: string, verdict: Verdict): void {
    const { good, expiresIn = Infinity } = verdict
    if (good) this.#good.set(key, verdict, { ttl: Math.max(1, Math.min(GOOD_MS, expiresIn * 1000)) })
    else this.#bad.set(key, verdict)
  }
}
