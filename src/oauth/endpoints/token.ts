import { invalidGrant, invalidRequest, OAuthError, tooManyCalls, unknownClient } from '../rules/error.ts'
import type { LoginCaller } from '../rules/login-caller.ts'
import { type Parameters, refuseOtherResource, required } from '../rules/parameters.ts'
import { digest, isVerifier, verifierFits } from '../rules/pkce.ts'
import { destinationOf, matchesRedirect } from '../rules/redirect-uri.ts'
import { chooseScopes } from '../rules/scopes.ts'
import type { ForgeTokens, Grant, RefreshToken } from '../storage/storage.ts'
import type { OAuthProxy } from './proxy.ts'

/** A successful answer of /token (RFC 6749 section 5.1). */
interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in?: number
  readonly refresh_token?: string
  readonly scope?: string
}

/** The tokens that a client gets, and the login that they belong to, for the log. */
interface Issued {
  readonly answer: TokenAnswer
  /** Identifies the login: the same for its tokens and for all tokens that these are renewed to. It grants nothing. */
  readonly login: string
  /** The client's name for itself, or its URL; it may be any text. */
  readonly client?: string | undefined
  /** Where the login has returned to (destinationOf), with its first tokens. */
  readonly to?: string
}

/** Characters of the digest that identifies a login in the log; the same number as for a principal. */
const SHOWN_CHARS = 16

/** Most characters of a code or token; longer values are not examined. */
const MAX_CHARS = 8192

/** Random bytes in the name of a login. */
const LOGIN_BYTES = 9

type Login = Omit<RefreshToken, 'token'>

/**
 * Handles POST /token: exchanges a code or a refresh token for an access token of the forge.
 * @throws OAuthError
 */
export async function token(form: Parameters, from: LoginCaller, proxy: OAuthProxy): Promise<Issued> {
  const client = clientIn(form, proxy)
  refuseOtherResource(form, proxy.facts().publicUrl)
  const issued = await granted(form, client, from, proxy)
  proxy.storage.countClient(client)
  return { ...issued, client: proxy.clients.nameOf(client) }
}

async function granted(
  form: Parameters,
  client: string,
  from: LoginCaller,
  proxy: OAuthProxy
): Promise<Issued> {
  switch (required(form, 'grant_type')) {
    case 'authorization_code':
      return proxy.facts().callbackProxy
        ? redeem(form, client, from, proxy)
        : passOn(form, client, from, proxy)
    case 'refresh_token':
      return refresh(form, client, from, proxy)
    default:
      throw new OAuthError(
        400,
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token.'
      )
  }
}

/** Whether a form renews a login: it has a valid refresh token, and names the client that the token belongs to. */
export const renews = (form: Parameters, { storage }: OAuthProxy): boolean =>
  form.get('grant_type') === 'refresh_token' &&
  storage.peekRefresh(form.get('refresh_token') ?? '')?.client === digest(form.get('client_id') ?? '')

/**
 * Handles POST /revoke (RFC 7009).
 * @returns the token that was revoked
 * @throws OAuthError
 */
export async function revoke(form: Parameters, from: LoginCaller, proxy: OAuthProxy): Promise<string> {
  const client = clientIn(form, proxy)
  const sent = short(required(form, 'token'))
  const refresh = proxy.storage.openRefresh(sent)
  if (refresh !== undefined && refresh.client !== digest(client)) throw notOfThisClient()
  // A value of this service that does not open stands for no token. That is no error either (RFC 7009 section 2.2).
  if (refresh === undefined && proxy.storage.sealsRefresh(sent)) return sent
  // Access tokens are the forge's own, and do not identify a client.
  const ended = refresh?.token ?? sent
  const hint = form.get('token_type_hint')
  await proxy.forge.revoke(
    ended,
    from,
    hint === 'access_token' || hint === 'refresh_token' ? hint : undefined
  )
  return ended
}

/** Libraries that are made for clients with a secret send both the id and the secret in Authorization: Basic. */
const noClientId =
  'client_id is missing from the form. Clients are public here (token_endpoint_auth_method none): leave Authorization out, and send client_id in the form.'

/**
 * Reads the id of the client. Whether a token belongs to that client follows from the values that this service has
 * issued.
 */
function clientIn(form: Parameters, { clients }: OAuthProxy): string {
  const id = form.get('client_id')
  if (id === undefined) throw invalidRequest(noClientId)
  if (!clients.knows(id)) throw unknownClient(401)
  return id
}

/**
 * Redeems a code of this service. The code must match this client, redirect URI and verifier; otherwise it stays valid
 * for its owner.
 */
function redeem(form: Parameters, client: string, from: LoginCaller, proxy: OAuthProxy): Issued {
  const code = required(form, 'code')
  const redirectUri = form.get('redirect_uri')
  const verifier = verifierIn(form)
  const fits = (grant: Grant): boolean =>
    grant.client === digest(client) &&
    // OAuth 2.1 has no redirect_uri here, because PKCE replaces it (section 10.2). If the client sends one, it must
    // match.
    (redirectUri === undefined || grant.redirectUri === redirectUri) &&
    verifierFits(verifier, grant.challenge)
  const grant = proxy.storage.takeGrant(code, fits, from.holder)
  if (grant === undefined)
    throw invalidGrant('The code is expired, used, or not of this client, redirect_uri and code_verifier.')
  return {
    ...issue(grant.tokens, begun(client, proxy), from, proxy, grant.ageMs),
    to: destinationOf(grant.redirectUri)
  }
}

/**
 * Redeems a code without the callback proxy: the forge issued the code and checks the verifier. Forges require
 * redirect_uri.
 */
async function passOn(
  form: Parameters,
  client: string,
  from: LoginCaller,
  proxy: OAuthProxy
): Promise<Issued> {
  const verifier = verifierIn(form)
  const code = short(required(form, 'code'))
  const { redirectUris = [] } = (await proxy.clients.find(client, from.holder, from.gone)) ?? {}
  // The client may omit redirect_uri if it could omit it at /authorize, too.
  const [only] = redirectUris.length === 1 ? redirectUris : []
  const redirectUri = form.get('redirect_uri') ?? only ?? required(form, 'redirect_uri')
  if (!redirectUris.some(uri => matchesRedirect(uri, redirectUri)))
    throw invalidGrant('The code is not of this client and redirect_uri.')
  const tokens = await proxy.forge.redeem({ code, redirectUri, verifier }, from)
  return { ...issue(tokens, begun(client, proxy), from, proxy), to: destinationOf(redirectUri) }
}

async function refresh(
  form: Parameters,
  client: string,
  from: LoginCaller,
  proxy: OAuthProxy
): Promise<Issued> {
  const asked = form.get('scope')
  const scope = asked === undefined ? undefined : chooseScopes(asked, proxy.facts().scopes)
  const bound = proxy.storage.openRefresh(short(required(form, 'refresh_token')))
  if (bound?.client !== digest(client)) throw notOfThisClient()
  return issue(await renewed(bound, from, scope, proxy), bound, from, proxy)
}

async function renewed(
  bound: RefreshToken,
  from: LoginCaller,
  scope: string | undefined,
  { renewals, forge }: OAuthProxy
): Promise<ForgeTokens> {
  const shortage = renewals.take(bound, from.holder)
  if (shortage !== undefined)
    throw tooManyCalls(
      `This login or refresh token is renewed too often, or too many logins of its address are: try again in ${shortage.resetSeconds} s.`,
      shortage.resetSeconds
    )
  try {
    return await forge.refresh(bound.token, from, scope)
  } catch (error) {
    const code = error instanceof OAuthError ? error.code : undefined
    if (code === 'invalid_grant') renewals.refused(bound, from.holder)
    else if (code !== 'invalid_scope') renewals.giveBack(bound, from.holder)
    throw error
  }
}

const notOfThisClient = () =>
  invalidGrant('The refresh token is expired, or not of this client. Log in again.')

/**
 * Returns the verifier. Its form is checked before the code: no verifier of another form matches a challenge that
 * /authorize accepts.
 */
function verifierIn(form: Parameters): string {
  const verifier = required(form, 'code_verifier')
  if (isVerifier(verifier)) return verifier
  throw invalidRequest('code_verifier must be 43 to 128 letters, digits and characters of -._~')
}

function short(value: string): string {
  if (value.length > MAX_CHARS) throw invalidRequest('A parameter is too long.')
  return value
}

/** The owner of the tokens of a new login. */
const begun = (client: string, { random }: OAuthProxy): Login => ({
  client: digest(client),
  login: random(LOGIN_BYTES).toString('base64url')
})

function issue(tokens: ForgeTokens, login: Login, from: LoginCaller, proxy: OAuthProxy, ageMs = 0): Issued {
  const { access, refresh, expiresIn, scope } = tokens
  const answer: TokenAnswer = {
    access_token: access,
    token_type: 'Bearer',
    ...(expiresIn !== undefined && { expires_in: Math.max(0, Math.floor(expiresIn - ageMs / 1000)) }),
    ...(refresh !== undefined && {
      refresh_token: proxy.storage.addRefresh({ ...login, token: refresh }, from.holder, access)
    }),
    ...(scope !== undefined && { scope })
  }
  return { answer, login: digest(login.login).slice(0, SHOWN_CHARS) }
}
