/** The secrets of a configuration: what makes values, and what only opens them; empty for none. */
interface Secrets {
  readonly OAUTH_STATELESS_SECRET: string
  readonly OAUTH_STATELESS_SECRET_PREVIOUS: string
}

/**
 * Notices a rotation whose second step was left out (docs/stateless.md, "Changing the secret"): the new secret came
 * beside the old one and is taken away again, and the old one goes on, as if it were the new. Of what this process has
 * not seen come nobody can tell which of both it is.
 */
export class Rotation {
  #secrets: Secrets
  /** The secret before the current one, as far as this process has seen it. */
  #former = ''
  /** Whether the previous secret came while this one was current, and so was to be the next. */
  #isNext = false

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  /** @returns whether the secret that was to be the next one is gone, and has never been current */
  loses(secrets: Secrets): boolean {
    const { OAUTH_STATELESS_SECRET: current, OAUTH_STATELESS_SECRET_PREVIOUS: previous } = this.#secrets
    const { OAUTH_STATELESS_SECRET, OAUTH_STATELESS_SECRET_PREVIOUS } = secrets
    const wasNext = this.#isNext
    this.#secrets = secrets
    if (OAUTH_STATELESS_SECRET !== current) {
      this.#former = current
      this.#isNext = false
      return false
    }
    if (OAUTH_STATELESS_SECRET_PREVIOUS !== previous)
      this.#isNext =
        OAUTH_STATELESS_SECRET_PREVIOUS !== '' && OAUTH_STATELESS_SECRET_PREVIOUS !== this.#former
    return wasNext && OAUTH_STATELESS_SECRET_PREVIOUS === ''
  }
}
