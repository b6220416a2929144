import { LRUCache } from 'lru-cache'
import type { Credential } from '../session/credential.ts'
import type { Verdict } from './credential-check.ts'
import { digest } from './pkce.ts'

/** How long a verdict stands, in milliseconds: a revoked token is good for at most the first. */
const GOOD_MS = 60_000
const BAD_MS = 5_000

/** A few MB. Keys are digests, so that the tokens themselves are nowhere kept. */
const MAX_VERDICTS = 10_000

/** Verdicts about credentials, each asked for once however many calls wait for it. */
export class CredentialCache {
  readonly #verdicts: LRUCache<string, Verdict>
  readonly #asking = new Map<string, Promise<Verdict>>()
  readonly #ask: (credential: Credential) => Promise<Verdict>

  /**
   * @param ask gives the verdict, or throws where there is none; that is not remembered
   * @param now clock in milliseconds
   */
  constructor(
    ask: (credential: Credential) => Promise<Verdict>,
    now: () => number = Date.now,
    max = MAX_VERDICTS
  ) {
    this.#ask = ask
    this.#verdicts = new LRUCache({ max, ttlResolution: 0, ttl: GOOD_MS, perf: { now } })
  }

  /** @throws what `ask` throws */
  async isGood(credential: Credential): Promise<boolean> {
    const key = keyOf(credential)
    const verdict = this.#verdicts.get(key) ?? (await this.#askOnce(key, credential))
    return verdict.good
  }

  /** Forgets what is known of a token, which has ended or may have. */
  forget(token: string): void {
    this.#verdicts.delete(keyOf({ kind: 'bearer', token }))
  }

  #askOnce(key: string, credential: Credential): Promise<Verdict> {
    const running = this.#asking.get(key)
    if (running !== undefined) return running
    const asking = this.#ask(credential)
      .then(verdict => {
        const ttl = verdict.good ? Math.min(GOOD_MS, (verdict.expiresIn ?? Infinity) * 1000) : BAD_MS
        this.#verdicts.set(key, verdict, { ttl: Math.max(1, ttl) })
        return verdict
      })
      .finally(() => this.#asking.delete(key))
    this.#asking.set(key, asking)
    return asking
  }
}

const keyOf = ({ kind, token }: Credential): string => digest(`${kind} ${token}`)
