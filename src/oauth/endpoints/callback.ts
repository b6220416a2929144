import { invalidRequest, noCookie, OAuthError, unknownState } from '../rules/error.ts'
import type { Browser, LoginCaller } from '../rules/login-caller.ts'
import type { Parameters } from '../rules/parameters.ts'
import { digest, sameText } from '../rules/pkce.ts'
import type { ForgeTokens, Pending } from '../storage/storage.ts'
import { grant, type Onward, problemOf, refuse, toForge } from './authorize.ts'
import { callbackUrl, type OAuthProxy } from './proxy.ts'

/**
 * Whether a login belongs to this browser. A login that a replica with other settings began without consent belongs to
 * no browser: nobody has been asked about it.
 */
const isOf = (pending: Pending, browser: Browser, { consent }: OAuthProxy): boolean =>
  pending.browser === undefined
    ? !consent
    : browser.sent.some(nonce => sameText(pending.browser!, digest(nonce)))

const comesBack = (pending: Pending, browser: Browser, proxy: OAuthProxy): boolean =>
  pending.approved && isOf(pending, browser, proxy)

/** The error for a state that is not valid in this browser. Only the log says whether it would be valid in another. */
function strayed(state: string, { sent }: Browser, { consent, storage }: OAuthProxy): OAuthError {
  if (consent && sent.length === 0) return noCookie()
  return unknownState(storage.pending(state) && 'The login belongs to another browser, or to another step.')
}

const denied = () => new OAuthError(400, 'access_denied', 'The person did not agree to the login.')
/**
 * The error for a code that the forge refuses. It uses access_denied, as RFC 6749 section 4.1.2.1 has no code of its
 * own for this case.
 */
const refused = () =>
  new OAuthError(
    400,
    'access_denied',
    'The forge did not accept the code that it had given. Log in again.',
    'invalid_grant'
  )

/**
 * Handles the answer to the consent page. Its ticket is only valid in the browser that was asked, which also keeps
 * other sites from answering for the person.
 * @returns where the browser goes next
 * @throws OAuthError with the message for the person
 */
export function decide(form: Parameters, browser: Browser, proxy: OAuthProxy): Onward {
  const fits = (pending: Pending) => !pending.approved && isOf(pending, browser, proxy)
  const ticket = form.get('ticket') ?? ''
  const pending = proxy.storage.takePending(ticket, fits)
  if (pending === undefined) throw strayed(ticket, browser, proxy)
  if (form.get('decision') !== 'allow') return refuse(pending, denied(), browser, proxy)
  try {
    return toForge({ ...pending, approved: true }, browser, proxy)
  } catch (error) {
    return refuse(pending, problemOf(error), browser, proxy)
  }
}

/**
 * The holder whose limits a GET /callback counts against. To a browser, the forge is a page of another site, but other
 * pages cannot know the state of a login that began in this browser. The state is not used up.
 */
export function holderOfReturn(state: string | undefined, browser: Browser, proxy: OAuthProxy): string {
  const pending = state === undefined ? undefined : proxy.storage.pending(state)
  return pending !== undefined && comesBack(pending, browser, proxy) ? browser.address : browser.holder
}

/**
 * Handles GET /callback, when the browser comes back from the forge.
 * @returns the redirect to the client, with a code of this service or an error
 * @throws OAuthError with the message for the person
 */
export async function callback(parameters: Parameters, browser: Browser, proxy: OAuthProxy): Promise<Onward> {
  const [sent, code, error] = ['state', 'code', 'error'].map(name => parameters.get(name))
  if (sent === undefined || (code === undefined && error === undefined))
    throw invalidRequest('Missing code or state parameter: start the login again from the application.')
  const pending = proxy.storage.takePending(sent, found => comesBack(found, browser, proxy))
  if (pending === undefined) throw strayed(sent, browser, proxy)
  const { client, redirectUri, challenge } = pending
  try {
    if (error !== undefined) throw error === 'access_denied' ? denied() : proxy.forge.sentBack(error, browser)
    const tokens = await redeem(code!, pending, { ...browser, holder: browser.address }, proxy)
    const own = proxy.storage.addGrant({ client, redirectUri, challenge, tokens }, browser.address)
    return grant(pending, own, proxy)
  } catch (failure) {
    return refuse(pending, problemOf(failure), browser, proxy)
  }
}

async function redeem(
  code: string,
  { verifier, scope }: Pending,
  from: LoginCaller,
  proxy: OAuthProxy
): Promise<ForgeTokens> {
  try {
    const tokens = await proxy.forge.redeem({ code, verifier, redirectUri: callbackUrl(proxy.facts()) }, from)
    return tokens.scope === undefined ? { ...tokens, scope } : tokens
  } catch (error) {
    // invalid_grant is an error of /token. Here it means that the code that the browser brought is not valid.
    if (error instanceof OAuthError && error.code === 'invalid_grant') throw refused()
    throw error
  }
}
