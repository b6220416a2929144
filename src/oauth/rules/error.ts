/** `error` of RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591 section 3.2.2 and RFC 8707 section 2. */
export type OAuthCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** A request that is refused in the terms of RFC 6749 section 5.2 and RFC 7591 section 3.2.2. */
export class OAuthError extends Error {
  readonly status: number
  readonly code: OAuthCode
  /** What the log says in place of the message, because strangers must not read it. */
  readonly hint: string | undefined
  /** Seconds until the client may try again, if known. */
  readonly retryAfter: number | undefined
  /** @param message `error_description`: what the client can do, in words of this service; holds nothing secret */
  constructor(status: number, code: OAuthCode, message: string, hint?: string, retryAfter?: number) {
    super(message)
    this.name = 'OAuthError'
    this.status = status
    this.code = code
    this.hint = hint
    this.retryAfter = retryAfter
  }
}

/**
 * The sentence for the person who logs in, or for their application. It contains the request id, by which the log finds
 * the request: applications show the sentence, but not the header that has the id as well.
 */
export const told = (message: string, requestId: string): string => `${message} (request ${requestId})`

/* One function for each error code; the message becomes the `error_description` of the answer. */
export const invalidRequest = (message: string) => new OAuthError(400, 'invalid_request', message)
export const invalidGrant = (message: string) => new OAuthError(400, 'invalid_grant', message)
export const invalidScope = (message: string) => new OAuthError(400, 'invalid_scope', message)
export const invalidTarget = (message: string) => new OAuthError(400, 'invalid_target', message)
export const invalidMetadata = (message: string) => new OAuthError(400, 'invalid_client_metadata', message)
export const invalidRedirect = (message: string, hint?: string) =>
  new OAuthError(400, 'invalid_redirect_uri', message, hint)
export const serverError = (message: string, hint?: string) =>
  new OAuthError(502, 'server_error', message, hint)
export const unavailable = (message: string, retryAfter?: number) =>
  new OAuthError(503, 'temporarily_unavailable', message, undefined, retryAfter)
export const tooManyCalls = (message: string, retryAfter?: number, hint?: string) =>
  new OAuthError(429, 'temporarily_unavailable', message, hint, retryAfter)

/** Clients rarely register again by themselves, and a person cannot: what a person can do instead. */
const forgetLogin =
  'In the application, remove the saved login of this server, or remove the server and add it again; then connect again.'

/** For a redirect that the client did not register. */
export const unregisteredRedirect = () =>
  invalidRequest('Unregistered redirect_uri: use exactly what was registered with this client_id.')
/** For a client id that was issued by another replica, or before a restart. */
export const unregisteredClient = () =>
  invalidRequest(
    `Unregistered redirect_uri: the client_id is not known here. It may have expired, or ended with a restart. ${forgetLogin}`
  )
/** For a state that is expired, used or made up, or belongs to another replica. @param hint as in OAuthError */
export const unknownState = (hint?: string) =>
  new OAuthError(
    400,
    'invalid_request',
    'Unknown or expired state parameter: this login may have been finished already. If the application is not logged in yet, start the login again from it.',
    hint
  )
/**
 * For a step without the cookie that binds a login to its browser. The person gets this message whether the state is
 * good or not. Advice to start again, as for a bad state, would lead back to this error.
 */
export const noCookie = () =>
  invalidRequest(
    'Unknown or expired state parameter: the browser sent no cookie of this service. Allow its cookies, stay at one address of it and in one browser, and start the login again from the application.'
  )
/** For a person who opens or reloads the URL that the consent form is sent to. */
export const onlyAnswered = () =>
  new OAuthError(
    405,
    'invalid_request',
    'This page cannot be opened again: if the application is not logged in yet, start the login again from it.'
  )
/** @param status 401 from the token endpoint (RFC 6749 section 5.2), 400 from the authorization endpoint */
export const unknownClient = (status: 400 | 401) =>
  new OAuthError(status, 'invalid_client', `Unknown or expired client_id. ${forgetLogin}`)

/** The reasons for failed logins and renewals that are not the client's fault. */
export const loginFailures = ['refused', 'unasked', 'bad-answer'] as const
export type LoginFailure = (typeof loginFailures)[number]

/** Whether the error code that a forge sent can be shown. */
export const isErrorCode = (error: unknown): error is string =>
  typeof error === 'string' && /^\w{1,40}$/.test(error)
