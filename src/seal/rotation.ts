import { HOUR_MS } from '../base/units.ts'

/** The secrets of a configuration: the first makes values, and the other only opens them; empty if there is none. */
interface Secrets {
  readonly OAUTH_STATELESS_SECRET: string
  readonly OAUTH_STATELESS_SECRET_PREVIOUS: string
}

/**
 * The secret that a change removes too early: the one that was meant to be the next, or one whose values are still
 * valid.
 */
type Lost = 'next' | 'former' | 'oldest' | 'used'

/** A secret whose values have been opened within this time, in milliseconds, is in use. */
const IN_USE_MS = HOUR_MS

/**
 * Detects four mistakes in a rotation (docs/stateless.md, "Changing the secret").
 *
 * - The second step was left out: the new secret was added as the previous one, and then removed again without becoming
 *   the current one, while the old one goes on as if it were the new one.
 * - The first step was repeated after the second: a third secret replaces the old one while values of the old one are
 *   still valid.
 * - The second step was repeated: a third secret becomes the current one, and the new secret replaces the old one while
 *   values of the old one are still valid.
 * - The third step was made too early: the old secret is removed while values of it are still used.
 *
 * If a secret was there before this process started, nobody can tell whether it is the old or the new one: what it has
 * made counts as valid while it is used.
 */
export class Rotation {
  readonly #liveMs: number
  readonly #now: () => number
  #secrets: Secrets
  /** The secret before the current one, as far as this process has seen it. */
  #former = ''
  /** When that secret was replaced, by the clock. */
  #replacedAt = Number.NEGATIVE_INFINITY
  /** Whether the previous secret was added while the current one was in use, and so was meant to be the next one. */
  #isNext = false
  /** When a value of the previous secret was last opened, by the clock. */
  #usedAt = Number.NEGATIVE_INFINITY

  /**
   * @param liveMs how long sealed values are valid, in milliseconds
   * @param now clock of durations in milliseconds
   */
  constructor(secrets: Secrets, liveMs: number, now: () => number = () => performance.now()) {
    this.#secrets = secrets
    this.#liveMs = liveMs
    this.#now = now
  }

  /** To be called whenever the previous secret opens a value. */
  used(): void {
    this.#usedAt = this.#now()
  }

  /** How long ago the previous secret last opened a value, in milliseconds; infinite if it never has. */
  get unusedMs(): number {
    return this.#now() - this.#usedAt
  }

  /**
   * @returns `next` if the secret that was meant to be the next one is gone, and has never been current; `former` if
   * another secret replaces the one that was current until recently; `oldest` if the current secret itself replaces that
   * one, because a new secret has become the current one; `used` if the previous secret is gone while its values are in
   * use
   */
  loses(secrets: Secrets): Lost | undefined {
    const { OAUTH_STATELESS_SECRET: current, OAUTH_STATELESS_SECRET_PREVIOUS: previous } = this.#secrets
    const { OAUTH_STATELESS_SECRET, OAUTH_STATELESS_SECRET_PREVIOUS } = secrets
    const wasNext = this.#isNext
    const isOfFormer = previous !== '' && previous === this.#former
    const isUsed = this.unusedMs < IN_USE_MS
    const lives = isOfFormer ? this.#now() - this.#replacedAt < this.#liveMs : isUsed
    this.#secrets = secrets
    if (OAUTH_STATELESS_SECRET_PREVIOUS !== previous) this.#usedAt = Number.NEGATIVE_INFINITY
    if (OAUTH_STATELESS_SECRET !== current) {
      this.#former = current
      this.#replacedAt = this.#now()
      this.#isNext = false
      // If the current secret is not kept, all sessions end, which the keyring reports.
      const isKept = OAUTH_STATELESS_SECRET_PREVIOUS === current
      return lives && isKept && OAUTH_STATELESS_SECRET !== previous ? 'oldest' : undefined
    }
    if (OAUTH_STATELESS_SECRET_PREVIOUS === previous) return undefined
    this.#isNext = OAUTH_STATELESS_SECRET_PREVIOUS !== '' && OAUTH_STATELESS_SECRET_PREVIOUS !== this.#former
    if (OAUTH_STATELESS_SECRET_PREVIOUS !== '') return lives ? 'former' : undefined
    if (lives && isUsed) return 'used'
    return wasNext ? 'next' : undefined
  }
}
