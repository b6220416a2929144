import { answer, forgeUrl, type Onward, problemOf } from './authorize.ts'
import {
  invalidRequest,
  invalidScope,
  isErrorCode,
  OAuthError,
  serverError,
  unavailable,
  unknownState
} from './error.ts'
import type { Parameters } from './parameters.ts'
import { digest, sameText } from './pkce.ts'
import { type Asker, type Browser, callbackUrl, type OAuthProxy } from './proxy.ts'
import type { ForgeTokens, Pending } from './storage.ts'

/** One that was begun without consent, by a replica set otherwise, is of no browser: with it nobody has been asked. */
const isOf = (pending: Pending, browser: Browser, { consent }: OAuthProxy): boolean =>
  pending.browser === undefined ? !consent : sameText(pending.browser, digest(browser.nonce))

const comesBack = (pending: Pending, browser: Browser, proxy: OAuthProxy): boolean =>
  pending.approved && isOf(pending, browser, proxy)

const denied = () => new OAuthError(400, 'access_denied', 'The person did not agree to the login.')
/** With the code of access_denied too: RFC 6749 section 4.1.2.1 has none of its own for it. */
const refused = () =>
  new OAuthError(
    400,
    'access_denied',
    'The forge did not accept the code that it had given. Log in again.',
    'invalid_grant'
  )

/**
 * The answer to the consent page. Its ticket is worth something only in the browser that was asked, which is
 * also what keeps other sites from answering for the person.
 * @returns where the browser goes next
 * @throws OAuthError for what is told to the person
 */
export function decide(form: Parameters, browser: Browser, proxy: OAuthProxy): Onward {
  const fits = (pending: Pending) => !pending.approved && isOf(pending, browser, proxy)
  const pending = proxy.storage.takePending(form.get('ticket') ?? '', fits)
  if (pending === undefined) throw unknownState()
  const { redirectUri, state } = pending
  if (form.get('decision') !== 'allow') return answer(redirectUri, denied(), state, proxy)
  try {
    return { redirect: forgeUrl({ ...pending, approved: true }, browser, proxy) }
  } catch (error) {
    return answer(redirectUri, problemOf(error), state, proxy)
  }
}

/**
 * Whom a GET /callback counts for. To a browser the forge is a page of another site, but other pages cannot know the
 * state of a login that began in it. Takes nothing.
 */
export function holderOfReturn(state: unknown, browser: Browser, proxy: OAuthProxy): string {
  const pending = typeof state === 'string' ? proxy.storage.pending(state) : undefined
  return pending !== undefined && comesBack(pending, browser, proxy) ? browser.address : browser.holder
}

/**
 * GET /callback: the browser comes back from the forge.
 * @returns the redirect to the client, with a code of ours or an error
 * @throws OAuthError for what is told to the person
 */
export async function callback(parameters: Parameters, browser: Browser, proxy: OAuthProxy): Promise<Onward> {
  const [sent, code, error] = ['state', 'code', 'error'].map(name => parameters.get(name))
  if (sent === undefined || (code === undefined && error === undefined))
    throw invalidRequest('Missing code or state parameter.')
  const pending = proxy.storage.takePending(sent, found => comesBack(found, browser, proxy))
  if (pending === undefined) throw unknownState()
  const { client, redirectUri, challenge, state } = pending
  try {
    if (error !== undefined) throw refusal(error)
    const tokens = await redeem(code!, pending, { ...browser, holder: browser.address }, proxy)
    const own = proxy.storage.addGrant({ client, redirectUri, challenge, tokens })
    return answer(redirectUri, { code: own }, state, proxy)
  } catch (failure) {
    return answer(redirectUri, problemOf(failure), state, proxy)
  }
}

async function redeem(
  code: string,
  { verifier, scope }: Pending,
  from: Asker,
  proxy: OAuthProxy
): Promise<ForgeTokens> {
  try {
    const tokens = await proxy.forge.redeem({ code, verifier, redirectUri: callbackUrl(proxy.facts()) }, from)
    return tokens.scope === undefined ? { ...tokens, scope } : tokens
  } catch (error) {
    // invalid_grant is an answer of /token; here it means that the browser brought a code that is none.
    if (error instanceof OAuthError && error.code === 'invalid_grant') throw refused()
    throw error
  }
}

/** The forge's own error, as far as it is one that a client may get; its text is not passed on. */
function refusal(error: string): OAuthError {
  switch (error) {
    case 'access_denied':
      return denied()
    case 'invalid_scope':
      return invalidScope('The forge does not give these scopes to this service.')
    case 'temporarily_unavailable':
      return unavailable('The forge is busy. Try again in a moment.')
    default:
      return serverError('The forge did not accept the login.', isErrorCode(error) ? error : undefined)
  }
}
