/** The secrets of a configuration: the first makes values, and the other only opens them; empty if there is none. */
interface Secrets {
  readonly OAUTH_STATELESS_SECRET: string
  readonly OAUTH_STATELESS_SECRET_PREVIOUS: string
}

/** Which secret a change takes away too early: the one to come, or one whose values still live. */
type Lost = 'next' | 'former' | 'oldest'

/**
 * Notices three ways in which a rotation goes wrong (docs/stateless.md, "Changing the secret"). Its second step was left
 * out: the new secret came beside the old one and is taken away again, and the old one goes on, as if it were the new. Or
 * its first step was made again after the second, or the second, to begin with: a third secret takes the place of the old
 * one, or that of the new one, which takes the place of the old one, while values of the old one live. Of what this
 * process has not seen come nobody can tell which it is.
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

  /**
   * @param liveMs how long sealed values are valid, in milliseconds
   * @param now clock of durations in milliseconds
   */
  constructor(secrets: Secrets, liveMs: number, now: () => number = () => performance.now()) {
    this.#secrets = secrets
    this.#liveMs = liveMs
    this.#now = now
  }

  /**
   * @returns `next` if the secret that was meant to be the next one is gone, and has never been current; `former` if
   * another secret replaces the one that was current until recently
   */
  loses(secrets: Secrets): Lost | undefined {
    const { OAUTH_STATELESS_SECRET: current, OAUTH_STATELESS_SECRET_PREVIOUS: previous } = this.#secrets
    const { OAUTH_STATELESS_SECRET, OAUTH_STATELESS_SECRET_PREVIOUS } = secrets
    const wasNext = this.#isNext
    const isOfFormer = previous !== '' && previous === this.#former
    const formerLives = isOfFormer && this.#now() - this.#replacedAt < this.#liveMs
    this.#secrets = secrets
    if (OAUTH_STATELESS_SECRET !== current) {
      this.#former = current
      this.#replacedAt = this.#now()
      this.#isNext = false
      // Without the current one all sessions end, of which the keyring tells.
      const isKept = OAUTH_STATELESS_SECRET_PREVIOUS === current
      return formerLives && isKept && OAUTH_STATELESS_SECRET !== previous ? 'oldest' : undefined
    }
    if (OAUTH_STATELESS_SECRET_PREVIOUS === previous) return undefined
    this.#isNext = OAUTH_STATELESS_SECRET_PREVIOUS !== '' && OAUTH_STATELESS_SECRET_PREVIOUS !== this.#former
    if (OAUTH_STATELESS_SECRET_PREVIOUS === '') return wasNext ? 'next' : undefined
    return formerLives ? 'former' : undefined
  }
}
