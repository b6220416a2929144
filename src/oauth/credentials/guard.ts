import { CancelledError, type CancelSignal } from '../../base/cancellation.ts'
import { retrySeconds } from '../../base/retry-seconds.ts'
import { callerGone } from '../../protocol/messages/body-refusals.ts'
import { tooManyFailures } from '../../protocol/messages/limit-refusals.ts'
import { Refusal } from '../../protocol/messages/refusal.ts'
import type { Credential } from '../../session/credential.ts'
import { CheckUnavailableError } from '../forge/credential-check.ts'
import { challenge, type MetadataFacts } from '../rules/metadata.ts'
import type { CredentialCache } from './credential-cache.ts'
import { TooManyFailuresError } from './credential-checker.ts'

const scopeProblem = {
  error: 'insufficient_scope',
  says: 'The token has neither the scope api nor read_api.'
}

/** What OAuth mode adds to the guard of /mcp: the forge is asked about credentials, and a 401 says where to log in. */
export class OAuthGuard {
  readonly #credentials: CredentialCache
  readonly #facts: () => MetadataFacts
  readonly #onUnavailable: (error: CheckUnavailableError) => void

  /** @param onUnavailable called when the forge could not be asked */
  constructor(
    credentials: CredentialCache,
    facts: () => MetadataFacts,
    onUnavailable: (error: CheckUnavailableError) => void
  ) {
    this.#credentials = credentials
    this.#facts = facts
    this.#onUnavailable = onUnavailable
  }

  /**
   * @param from the address that sent the credential (base/holders.ts)
   * @param gone ends the wait
   * @param isSealed whether the credential comes out of a session id
   * @returns the forge's id of the credential's user, if the forge names one
   * @throws Refusal 401 if the forge does not know the credential, 403 if its scopes allow nothing, 503 if the forge
   * cannot be asked, 429 if it is not asked because it has refused too many credentials of that address, 499 once
   * `gone` aborts
   */
  async admit(
    credential: Credential,
    from: string,
    gone: CancelSignal,
    isSealed = false
  ): Promise<string | undefined> {
    try {
      const { good, lacksScope, user } = await this.#credentials.verdictOn(credential, from, gone, isSealed)
      if (good && lacksScope !== true) return user
      if (good) throw this.#lacksScope()
    } catch (error) {
      if (error instanceof CancelledError) throw callerGone()
      if (error instanceof TooManyFailuresError) throw tooManyFailures(error.retryAfter)
      if (!(error instanceof CheckUnavailableError)) throw error
      this.#onUnavailable(error)
      // A wait that is over, such as a date in the past, would have clients ask again at once.
      const seconds = String(error.retryAfter || retrySeconds.answer)
      throw new Refusal(503, error.message, { headers: { 'retry-after': seconds }, reason: 'unchecked' })
    }
    throw new Refusal(
      401,
      credential.kind === 'bearer'
        ? 'Invalid token: it is expired, revoked or not issued for this service. Log in again, or send a personal token of the forge as Private-Token.'
        : 'Invalid Private-Token or JOB-TOKEN header: the forge does not accept the token there, which may be wrong, expired or revoked. One of a login goes in Authorization: Bearer, one of a CI job in JOB-TOKEN.',
      { reason: 'rejected' }
    )
  }

  /** RFC 6750 section 3.1: the client needs another token, with more scope. */
  #lacksScope(): Refusal {
    const facts = this.#facts()
    return new Refusal(
      403,
      'The token has neither the scope api nor read_api: log in again and allow one of them.',
      { headers: { 'www-authenticate': challenge(facts, scopeProblem) }, reason: 'rejected' }
    )
  }

  /** Adds the login address to a refusal with 401; returns any other error as it is. */
  challenged(error: unknown): unknown {
    if (!(error instanceof Refusal) || error.status !== 401) return error
    // If no credential was sent, the answer names no error (RFC 6750 section 3.1).
    const problem =
      error.reason === 'missing'
        ? undefined
        : {
            error: 'invalid_token',
            says: 'The token is malformed, expired, revoked or not issued for this service.'
          }
    const { status, message, code, reason, hint } = error
    const headers = { ...error.headers, 'www-authenticate': challenge(this.#facts(), problem) }
    return new Refusal(status, message, { code, headers, hint, ...(reason !== undefined && { reason }) })
  }
}
