import { createHash, timingSafeEqual } from 'node:crypto'
import { ForgeError, type Reply } from './http.ts'
import type { Credential, ForgeState, Grant } from './state.ts'
import type { User } from './types.ts'

const SCOPES = ['api', 'read_api', 'read_user', 'openid', 'profile', 'email', 'read_repository', 'mcp']
const CODE_SECONDS = 600
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** The input of an OAuth route: the query of a GET, the form or JSON of a POST, and the Authorization header. */
interface OAuthCall {
  params: Record<string, string>
  authorization: string | undefined
}

const oauthError = (status: number, error: string, description: string) =>
  new ForgeError(status, { error, error_description: description })

const INVALID_GRANT =
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.'

const isLoopback = (uri: string) => {
  try {
    return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(uri).hostname)
  } catch {
    return false
  }
}

const redirectAllowed = (state: ForgeState, uri: string) =>
  state.oauth.redirectUris.length > 0 ? state.oauth.redirectUris.includes(uri) : isLoopback(uri)

const redirect = (uri: string, params: Record<string, string | undefined>): Reply => {
  const url = new URL(uri)
  for (const [key, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(key, value)
  return { status: 302, headers: { location: url.href }, body: '' }
}

const secretToken = (state: ForgeState, kind: string) =>
  (
    state.hash(kind, state.nextId('secret'), state.now()) + state.hash(kind, 'more', state.nextId('secret'))
  ).slice(0, 64)

/**
 * The consent page, confirmed at once by the configured person. A wrong client or redirect address is shown to the
 * person, never answered by a redirect. Every other error goes back to the client (RFC 6749, 4.1.2.1).
 */
const authorize = (state: ForgeState, { params }: OAuthCall): Reply => {
  const { client_id: clientId, redirect_uri: redirectUri = '', state: clientState } = params
  if (clientId !== state.oauth.appId)
    throw oauthError(401, 'invalid_client', 'Client authentication failed due to unknown client.')
  if (!redirectAllowed(state, redirectUri))
    throw oauthError(400, 'invalid_request', 'The redirect URI included is not valid.')
  const fail = (error: string, error_description: string) =>
    redirect(redirectUri, { error, error_description, state: clientState })
  if (params.response_type !== 'code')
    return fail('unsupported_response_type', 'The authorization server does not support this response type.')
  const scopes = (params.scope ?? 'api').split(/[ +]/)
  if (scopes.some(scope => !SCOPES.includes(scope)))
    return fail('invalid_scope', 'The requested scope is invalid, unknown, or malformed.')
  const challenge = params.code_challenge ?? null
  if (challenge !== null && (params.code_challenge_method !== 'S256' || !CHALLENGE.test(challenge)))
    return fail('invalid_request', 'The code challenge method must be S256.')
  const user = state.oauth.approveAs
  if (!user) return fail('access_denied', 'The resource owner or authorization server denied the request.')
  const code = secretToken(state, 'code')
  const expiresAt = state.now() + CODE_SECONDS * 1000
  state.oauth.codes.set(code, { user, clientId, redirectUri, challenge, scopes, expiresAt })
  return redirect(redirectUri, { code, state: clientState })
}

const basic = (authorization: string | undefined) => {
  const encoded = authorization?.match(/^basic (.+)$/i)?.[1]
  const [id, secret] = encoded ? Buffer.from(encoded, 'base64').toString().split(':') : []
  return { id, secret }
}

/**
 * Identifies the client. It returns whether the client proved itself with its secret; a public client proves itself by
 * PKCE.
 */
const clientOf = (state: ForgeState, { params, authorization }: OAuthCall): { confidential: boolean } => {
  const header = basic(authorization)
  const secret = params.client_secret ?? header.secret
  const unknown = (params.client_id ?? header.id) !== state.oauth.appId
  if (unknown || (secret !== undefined && secret !== state.oauth.appSecret))
    throw oauthError(401, 'invalid_client', 'Client authentication failed due to unknown client.')
  return { confidential: secret !== undefined }
}

const issue = (state: ForgeState, user: User, scopes: string[]): Reply => {
  const access = secretToken(state, 'access')
  const refresh = secretToken(state, 'refresh')
  const { accessSeconds } = state.oauth
  const expiresAt = state.now() + accessSeconds * 1000
  const credential: Credential = { kind: 'oauth', user, scopes, expiresAt, job: null, createdAt: state.now() }
  state.credentials.set(access, credential)
  state.oauth.refreshTokens.set(refresh, { user, scopes, accessToken: access })
  return {
    status: 200,
    headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    body: {
      access_token: access,
      token_type: 'Bearer',
      expires_in: accessSeconds,
      refresh_token: refresh,
      scope: scopes.join(' '),
      created_at: Math.floor(state.now() / 1000)
    }
  }
}

const verifierFits = (grant: Grant, verifier: string | undefined) => {
  if (grant.challenge === null || verifier === undefined) return false
  const digest = createHash('sha256').update(verifier).digest('base64url')
  return (
    digest.length === grant.challenge.length &&
    timingSafeEqual(Buffer.from(digest), Buffer.from(grant.challenge))
  )
}

const exchange = (state: ForgeState, call: OAuthCall): Reply => {
  const { confidential } = clientOf(state, call)
  const { code = '', redirect_uri: redirectUri, code_verifier: verifier } = call.params
  const grant = state.oauth.codes.get(code)
  // A code works only once, even if the rest of the request is wrong.
  state.oauth.codes.delete(code)
  const proven = grant && (grant.challenge === null ? confidential : verifierFits(grant, verifier))
  if (!grant || !proven || grant.redirectUri !== redirectUri || grant.expiresAt <= state.now())
    throw oauthError(400, 'invalid_grant', INVALID_GRANT)
  return issue(state, grant.user, grant.scopes)
}

const refresh = (state: ForgeState, call: OAuthCall): Reply => {
  clientOf(state, call)
  const token = call.params.refresh_token ?? ''
  const known = state.oauth.refreshTokens.get(token)
  if (!known) throw oauthError(400, 'invalid_grant', INVALID_GRANT)
  // The scopes may be fewer than those of the login, never more (RFC 6749, section 6).
  const scopes = call.params.scope?.split(' ') ?? known.scopes
  if (!scopes.every(scope => known.scopes.includes(scope)))
    throw oauthError(400, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed.')
  // Refreshing invalidates both old tokens (docs: OAuth 2.0 provider).
  state.oauth.refreshTokens.delete(token)
  state.credentials.delete(known.accessToken)
  return issue(state, known.user, scopes)
}

const token = (state: ForgeState, call: OAuthCall): Reply => {
  if (call.params.grant_type === 'authorization_code') return exchange(state, call)
  if (call.params.grant_type === 'refresh_token') return refresh(state, call)
  throw oauthError(
    400,
    'unsupported_grant_type',
    'The authorization grant type is not supported by the authorization server.'
  )
}

/** RFC 7009: it answers 200 whether the token was known or not. */
const revoke = (state: ForgeState, call: OAuthCall): Reply => {
  clientOf(state, call)
  const given = call.params.token ?? ''
  const refreshed = state.oauth.refreshTokens.get(given)
  if (refreshed) state.credentials.delete(refreshed.accessToken)
  state.oauth.refreshTokens.delete(given)
  if (state.credentials.get(given)?.kind === 'oauth') state.credentials.delete(given)
  return { status: 200, body: {} }
}

/** Only OAuth tokens are known here. A personal token is answered as invalid. */
const info = (state: ForgeState, { authorization }: OAuthCall): Reply => {
  if (!state.oauth.tokenInfo) throw new ForgeError(404, { error: '404 Not Found' })
  const bearer = authorization?.match(/^bearer (.+)$/i)?.[1] ?? ''
  const credential = state.credentials.get(bearer)
  const expiresAt = credential?.expiresAt ?? 0
  if (credential?.kind !== 'oauth' || expiresAt <= state.now())
    throw new ForgeError(
      401,
      { error: 'invalid_token', error_description: 'The access token is invalid', state: 'unauthorized' },
      { 'www-authenticate': 'Bearer realm="Doorkeeper", error="invalid_token"' }
    )
  const left = Math.floor((expiresAt - state.now()) / 1000)
  return {
    status: 200,
    body: {
      resource_owner_id: credential.user.id,
      scope: credential.scopes,
      expires_in: left,
      application: { uid: state.oauth.appId },
      created_at: Math.floor(credential.createdAt / 1000),
      scopes: credential.scopes,
      expires_in_seconds: left
    }
  }
}

const ROUTES: Record<string, (state: ForgeState, call: OAuthCall) => Reply> = {
  'GET /oauth/authorize': authorize,
  'POST /oauth/token': token,
  'POST /oauth/revoke': revoke,
  'GET /oauth/token/info': info
}

/** The handler of an OAuth route by method and path; undefined for any other route. */
export const oauthRoute = (method: string, path: string) => {
  const name = `${method} ${path}`
  return Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined
}
