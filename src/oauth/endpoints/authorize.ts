import { OverlongValueError } from '../../seal/kind.ts'
import {
  invalidRequest,
  OAuthError,
  serverError,
  told,
  unavailable,
  unknownClient,
  unregisteredClient,
  unregisteredRedirect
} from '../rules/error.ts'
import type { Browser } from '../rules/login-caller.ts'
import type { MetadataFacts } from '../rules/metadata.ts'
import { type Parameters, refuseOtherResource, required, withParameters } from '../rules/parameters.ts'
import { digest, isChallenge, newVerifier } from '../rules/pkce.ts'
import { destinationOf, matchesRedirect } from '../rules/redirect-uri.ts'
import type { Client } from '../rules/registration.ts'
import { chooseScopes } from '../rules/scopes.ts'
import type { Pending } from '../storage/storage.ts'
import { callbackUrl, type OAuthProxy } from './proxy.ts'

const MAX_STATE = 1024

/** The question on the consent page, and the ticket that its form sends back. */
export interface LoginQuestion {
  readonly client: Client
  readonly redirectUri: string
  readonly scope: string
  readonly ticket: string
}

/** Where the browser goes next. */
export interface Onward {
  readonly redirect: string
  /** Where the login returns to at its end (destinationOf). */
  readonly to: string
  /** The error code that the client gets. */
  readonly error?: string
  /** What the log says in addition. */
  readonly reason?: string | undefined
  /** The description of the error. */
  readonly hint?: string
}

/** Where the browser goes next, or what it shows. */
type LoginStep = Onward | { readonly ask: LoginQuestion }

/**
 * GET /authorize. Until it is known that client and redirect URI belong together, errors are shown to the person. From
 * then on they go to the client by a redirect (RFC 6749 section 4.1.2.1), but if consent is required, only after the
 * person has agreed (RFC 9700 section 4.11.2).
 * @throws OAuthError for errors that are shown to the person
 */
export async function authorize(
  parameters: Parameters,
  browser: Browser,
  proxy: OAuthProxy
): Promise<LoginStep> {
  const client = await findClient(required(parameters, 'client_id'), browser, proxy)
  const redirectUri = chooseRedirect(client, parameters.get('redirect_uri'))
  if (!proxy.hasApp)
    throw unavailable('Nobody can log in here: FORGE_OAUTH_APP_ID is not set on this service.')
  const state = parameters.get('state')
  try {
    return begin(client, redirectUri, parameters, browser, proxy)
  } catch (error) {
    const problem = problemOf(error)
    // Anybody can register any redirect URI, and nobody has agreed yet. A redirect would let this origin send people to
    // that address, or open one of their applications.
    if (proxy.consent) throw problem
    return refuse({ redirectUri, state }, problem, browser, proxy)
  }
}

async function findClient(id: string, browser: Browser, proxy: OAuthProxy): Promise<Client> {
  const client = await proxy.clients.find(id, browser.holder, browser.gone)
  if (client !== undefined) return client
  throw proxy.storage.knowsForm(id) ? unknownClient(400) : unregisteredClient()
}

function chooseRedirect({ redirectUris }: Client, asked: string | undefined): string {
  if (asked === undefined) {
    if (redirectUris.length === 1) return redirectUris[0]!
    throw invalidRequest('redirect_uri is missing, and the client registered more than one.')
  }
  if (!redirectUris.some(registered => matchesRedirect(registered, asked))) throw unregisteredRedirect()
  return asked
}

function begin(
  client: Client,
  redirectUri: string,
  parameters: Parameters,
  browser: Browser,
  proxy: OAuthProxy
): LoginStep {
  const facts = proxy.facts()
  const { challenge, scope, state } = askedIn(parameters, facts)
  if (!facts.callbackProxy)
    return {
      redirect: proxy.forge.authorizeUrl({ redirectUri, challenge, scope, state }),
      to: destinationOf(redirectUri)
    }
  const pending: Pending = {
    client: digest(client.id),
    redirectUri,
    ...(state !== undefined && { state }),
    challenge,
    verifier: newVerifier(proxy.random),
    scope,
    ...(proxy.consent && { browser: digest(browser.nonce) }),
    approved: !proxy.consent
  }
  if (!proxy.consent) return toForge(pending, browser, proxy)
  const ticket = proxy.storage.addPending(pending, browser.holder)
  return { ask: { client, redirectUri, scope, ticket } }
}

/** What a client asks for (RFC 6749 section 4.1.1, RFC 7636 section 4.3). @throws OAuthError if that is not served */
function askedIn(parameters: Parameters, { publicUrl, scopes }: MetadataFacts) {
  if (parameters.get('response_type') !== 'code')
    throw new OAuthError(400, 'unsupported_response_type', 'response_type must be code.')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw invalidRequest('response_mode must be query.')
  const challenge = parameters.get('code_challenge') ?? ''
  if (parameters.get('code_challenge_method') !== 'S256' || challenge === '')
    throw invalidRequest('PKCE is required: code_challenge with code_challenge_method=S256.')
  if (!isChallenge(challenge))
    throw invalidRequest(
      'code_challenge must be the SHA-256 of code_verifier in base64url: 43 characters, without padding.'
    )
  refuseOtherResource(parameters, publicUrl)
  const state = parameters.get('state')
  if (state !== undefined && state.length > MAX_STATE)
    throw invalidRequest(`state is longer than ${MAX_STATE} characters.`)
  return { challenge, scope: chooseScopes(parameters.get('scope'), scopes), state }
}

/**
 * Sends the browser to the forge's login, for a pending login of this service.
 * @throws OverlongValueError
 */
export function toForge(pending: Pending, { holder }: Browser, proxy: OAuthProxy): Onward {
  const redirect = proxy.forge.authorizeUrl({
    redirectUri: callbackUrl(proxy.facts()),
    challenge: digest(pending.verifier),
    scope: pending.scope,
    state: proxy.storage.addPending(pending, holder)
  })
  return { redirect, to: destinationOf(pending.redirectUri) }
}

/** The login that an answer belongs to: its redirect URI, and the client's own state. */
interface Of {
  readonly redirectUri: string
  readonly state?: string | undefined
}

/** The answer to the client, with the client's own state and the issuer (RFC 9207). */
const answer = (
  { redirectUri, state }: Of,
  parameters: Record<string, string>,
  proxy: OAuthProxy
): Onward => ({
  redirect: withParameters(redirectUri, { ...parameters, state, iss: proxy.facts().publicUrl }),
  to: destinationOf(redirectUri)
})

/** Sends the browser back to the client with a code. */
export const grant = (of: Of, code: string, proxy: OAuthProxy): Onward => answer(of, { code }, proxy)

/** Sends the browser back to the client with an error, whose description contains the request id. */
export function refuse(of: Of, problem: OAuthError, { requestId }: Browser, proxy: OAuthProxy): Onward {
  const { code: error, message, hint: reason } = problem
  const said = answer(of, { error, error_description: told(message, requestId) }, proxy)
  return { ...said, error, reason, hint: message }
}

/**
 * The error that the client gets.
 * @throws the error itself if it is a fault of this service
 */
export function problemOf(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  if (error instanceof OverlongValueError)
    return serverError('The login is too large to be carried in a URL.')
  throw error
}
