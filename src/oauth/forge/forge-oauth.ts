import type { Dispatcher } from 'undici'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { isToken } from '../../session/credential.ts'
import { type Reply, retryAfterSeconds } from '../../upstream/answers/answer.ts'
import { ForgeError } from '../../upstream/errors.ts'
import { Gate } from '../../upstream/guard/gate.ts'
import { plainHeaders } from '../../upstream/plain-headers.ts'
import { exchange } from '../../upstream/reading/exchange.ts'
import {
  invalidGrant,
  invalidScope,
  isErrorCode,
  type LoginFailure,
  OAuthError,
  serverError,
  unavailable
} from '../rules/error.ts'
import type { LoginCaller } from '../rules/login-caller.ts'
import { withParameters } from '../rules/parameters.ts'
import type { ForgeTokens } from '../storage/storage.ts'
import { MAX_ANSWER_BYTES, parseAnswer } from './answer.ts'

/**
 * Longest token lifetime that is reported to a client, in seconds: a year. Some clients cannot handle larger numbers,
 * or add them to a date.
 */
const MAX_EXPIRY = 31_536_000

/** Milliseconds for an answer. A person waits in a browser, behind a proxy that gives up after 60 s at the latest. */
const DEADLINE_MS = 15_000

/**
 * Requests at once, shared among addresses. Anybody can cause such requests with invalid codes and tokens, and the
 * forge serves everybody.
 */
export const loginTurns = { limit: 32, queue: 1_024, waitMs: 10_000, shared: true }

const tooMany = () => unavailable('Too many logins are under way. Try again in a moment.')

interface ForgeOAuthOptions {
  /** Base URL of the forge: its API URL without /api/v4. */
  readonly base: string
  readonly appId: string
  /** Empty for a public application. Called for each request, because the secret may change while the service runs. */
  readonly appSecret: () => string
  readonly dispatcher: Dispatcher
  readonly userAgent: string
  /** Milliseconds for an answer; default 15 s. */
  readonly deadlineMs?: number
  /** Called when a login cannot continue through no fault of the client. The reason holds nothing secret. */
  readonly onTrouble: (trouble: LoginTrouble, from: LoginCaller) => void
}

/** Why a login cannot continue through no fault of the client, with the error for the client. */
class LoginTrouble extends OAuthError {
  readonly kind: LoginFailure
  readonly reason: string
  /** Whether a browser brought the error: anybody can make that up, for a login of their own. */
  isBrought = false
  constructor(kind: LoginFailure, reason: string, told: OAuthError, cause?: Error) {
    super(told.status, told.code, told.message, told.hint, told.retryAfter)
    this.kind = kind
    this.reason = reason
    this.cause = cause
  }
}

/** The parameters with which a login at the forge begins. */
interface ForgeLogin {
  readonly redirectUri: string
  readonly challenge: string
  readonly scope: string
  readonly state?: string | undefined
}

interface ForgeCode {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/** The OAuth endpoints of the forge, called on behalf of the one application that is registered there. */
export class ForgeOAuth {
  readonly #options: ForgeOAuthOptions
  readonly #turns = new Gate(loginTurns, tooMany)
  readonly #resumed = new FairTurns(turnShares.resumed)
  readonly #answers = new FairTurns(turnShares.answers)

  constructor(options: ForgeOAuthOptions) {
    this.#options = options
  }

  /** The URL at which the person logs in with a browser. */
  authorizeUrl({ redirectUri, challenge, scope, state }: ForgeLogin): string {
    return withParameters(`${this.#options.base}/oauth/authorize`, {
      client_id: this.#options.appId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state
    })
  }

  /**
   * The error for the client when the forge sends the browser back with one. The forge's text is not passed on.
   * @param error any code but access_denied, which is the person's own decision
   */
  sentBack(error: string, from: LoginCaller): OAuthError {
    const trouble = broughtBack(error)
    trouble.isBrought = true
    this.#options.onTrouble(trouble, from)
    return trouble
  }

  /** @throws OAuthError invalid_grant, temporarily_unavailable or server_error */
  redeem({ code, redirectUri, verifier }: ForgeCode, from: LoginCaller): Promise<ForgeTokens> {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier
    }
    return this.#tokens(form, from)
  }

  /** @throws OAuthError as `redeem`, and invalid_scope for a scope that the login does not have */
  refresh(refreshToken: string, from: LoginCaller, scope?: string): Promise<ForgeTokens> {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
    return this.#tokens({ ...form, ...(scope !== undefined && { scope }) }, from)
  }

  /**
   * Revokes a token. A text that is no token is no error (RFC 7009).
   * @throws OAuthError
   */
  revoke(token: string, from: LoginCaller, hint?: string): Promise<void> {
    const form = { token, ...(hint !== undefined && { token_type_hint: hint }) }
    return this.#ask('/oauth/revoke', form, from, ({ status, headers }) => {
      if (status === 401) throw refused('invalid_client')
      // 400 and 403: the text is no token, or it is a token of another application.
      if (status >= 300 && status !== 400 && status !== 403) throw failed(`status ${status}`, { headers })
    })
  }

  #tokens(form: Record<string, string>, from: LoginCaller): Promise<ForgeTokens> {
    return this.#ask('/oauth/token', form, from, reply => {
      // The RFC requires 200. Some forges answer 201, as for anything that they create.
      if (reply.status === 200 || reply.status === 201) return readTokens(objectOf(reply))
      if (reply.status === 400 || reply.status === 401) throw refused(objectOf(reply).error, form.scope)
      throw failed(`status ${reply.status}`, reply)
    })
  }

  async #ask<T>(
    path: string,
    form: Record<string, string>,
    from: LoginCaller,
    read: (reply: Reply) => T
  ): Promise<T> {
    try {
      return read(await this.#post(path, form, from.holder))
    } catch (error) {
      if (error instanceof LoginTrouble) this.#options.onTrouble(error, from)
      throw error
    }
  }

  async #post(path: string, form: Record<string, string>, from: string): Promise<Reply> {
    const { base, appId, appSecret, dispatcher, userAgent, deadlineMs = DEADLINE_MS } = this.#options
    const secret = appSecret()
    const body = new URLSearchParams({
      ...form,
      client_id: appId,
      ...(secret !== '' && { client_secret: secret })
    }).toString()
    const url = new URL(`${base}${path}`)
    const headers = { ...plainHeaders(userAgent), 'content-type': 'application/x-www-form-urlencoded' }
    const limits = { maxBytes: MAX_ANSWER_BYTES, deadlineMs }
    await this.#turns.enter(from)?.finally(() => this.#resumed.next(from))
    try {
      return await exchange(
        dispatcher,
        { origin: url.origin, path: url.pathname, method: 'POST', headers, body },
        limits
      )
    } catch (error) {
      throw error instanceof ForgeError ? failed(error.fault, { cause: error }) : error
    } finally {
      this.#turns.leave(from)
      await this.#answers.next(from)
    }
  }
}

/**
 * The error for the client when the forge refuses a request. Only errors about the grant and the requested scope are
 * passed on to the client.
 */
function refused(error: unknown, scope?: string): OAuthError {
  if (error === 'invalid_grant')
    return invalidGrant(
      'The forge did not accept the grant: it is expired, revoked or used, or was asked for with another redirect_uri or code_verifier. Log in again.'
    )
  if (error === 'invalid_scope' && scope !== undefined)
    return invalidScope(
      'This login does not have all scopes that were asked for. Leave scope out to renew it with those that it has, or log in again.'
    )
  const reason = isErrorCode(error) ? error : 'no OAuth error'
  return new LoginTrouble(
    'refused',
    `the forge refused this service: ${reason}`,
    serverError('The forge refused this service: its operator has to check the OAuth application.')
  )
}

const wrongScopes =
  'The forge does not give these scopes to this service: its operator has to compare FORGE_OAUTH_SCOPES with the scopes of the OAuth application.'

function broughtBack(error: string): LoginTrouble {
  if (error === 'temporarily_unavailable')
    return new LoginTrouble(
      'unasked',
      `the forge could not be asked: ${error}`,
      unavailable('The forge is busy. Try again in a moment.')
    )
  if (error === 'invalid_scope')
    return new LoginTrouble(
      'refused',
      `the forge refused the login: ${error}. ${wrongScopes}`,
      invalidScope(wrongScopes)
    )
  const code = isErrorCode(error) ? error : undefined
  return new LoginTrouble(
    'refused',
    `the forge refused the login: ${code ?? 'no OAuth error'}`,
    serverError('The forge did not accept the login.', code)
  )
}

/** @param of the answer that could not be used, or the reason why there is no answer */
const failed = (reason: string, of: Pick<Reply, 'headers'> | { readonly cause: ForgeError }) =>
  new LoginTrouble(
    'unasked',
    `the forge could not be asked: ${reason}`,
    unavailable(
      'The forge cannot be asked right now. Try again in a moment.',
      'headers' in of ? retryAfterSeconds(of.headers['retry-after'], Date.now()) : undefined
    ),
    'cause' in of ? of.cause : undefined
  )

const unreadable = (what: string) =>
  new LoginTrouble('bad-answer', `the forge gave ${what}`, serverError(`The forge gave ${what}.`))

function objectOf(reply: Reply): Record<string, unknown> {
  try {
    const value = parseAnswer(reply)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // A page or a truncated answer counts as no answer.
  }
  throw unreadable('an answer to the login that is not one of OAuth')
}

function readTokens(answer: Record<string, unknown>): ForgeTokens {
  const {
    access_token: access,
    refresh_token: refresh,
    expires_in: expiresIn,
    scope,
    token_type: type
  } = answer
  // This service must not give out a token that it would refuse itself.
  if (!isToken(access) || (typeof type === 'string' && type.toLowerCase() !== 'bearer'))
    throw unreadable('an answer to the login without a usable token')
  return {
    access,
    ...(isToken(refresh) && { refresh }),
    ...(typeof expiresIn === 'number' && expiresIn >= 0 && { expiresIn: Math.min(expiresIn, MAX_EXPIRY) }),
    ...(typeof scope === 'string' && scope.length <= 256 && { scope })
  }
}
