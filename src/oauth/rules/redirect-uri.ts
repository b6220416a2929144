import { isOfWeb } from '../../base/host-names.ts'
import { parsedUrl } from '../../base/parsed-url.ts'
import { isLoopback } from '../../config/loopback.ts'

const MAX_CHARS = 512

/**
 * Private-use schemes of well-known clients. Any other scheme needs a dot, like a reversed domain name (RFC 8252
 * section 7.1).
 */
const clientSchemes = new Set([
  'claude:',
  'cursor:',
  'goose:',
  'vscode:',
  'vscode-insiders:',
  'warp:',
  'warppreview:',
  'windsurf:',
  'zed:'
])

/** Schemes that have effects of their own, even if a dot follows: no reversed domain name starts like this. */
const activeSchemes =
  /^(?:about|blob|data|file|filesystem|ftp|https?|javascript|vbscript|view-source|wss?)[.+:-]/

/**
 * The parameters of this service's answer. If a redirect URI already had one of them, the client would get it twice.
 */
const answerParameters = ['code', 'state', 'iss', 'error', 'error_description']

/**
 * Checks whether a client may register a redirect URI (RFC 7591 section 5, RFC 8252): https, http on a loopback host,
 * or a private-use scheme.
 * @returns why not, or undefined when it may
 */
export function whyUnusable(uri: string): string | undefined {
  if (uri.length > MAX_CHARS) return `it is longer than ${MAX_CHARS} characters`
  if (!/^[\x21-\x7e]+$/.test(uri) || /["'<>\\^`{|}]/.test(uri)) return 'it has characters that no URI has'
  if (uri.includes('*'))
    return 'it has a wildcard, and only the very URI that was registered is redirected to'
  const url = parsedUrl(uri)
  if (url === undefined) return 'it is not an absolute URI'
  if (uri.includes('#')) return 'it has a fragment'
  if (url.username !== '' || url.password !== '' || /^[a-z][\w+.-]*:\/\/[^/?]*@/i.test(uri))
    return 'it has user information'
  if (answerParameters.some(name => url.searchParams.has(name)))
    return 'its query has a parameter that the answer sets'
  return whyUnusableScheme(url) ?? whyNotCanonical(uri, url)
}

/**
 * Says whether the host is spelled unusually. People see the text of the URI, and a browser follows its parsed form:
 * both must name the same host.
 */
const whyNotCanonical = (uri: string, url: URL): string | undefined =>
  isOfWeb(url) && !uri.startsWith(url.origin) ? 'its host is not written in the usual form' : undefined

function whyUnusableScheme({ protocol, hostname }: URL): string | undefined {
  if (protocol === 'https:') return undefined
  if (protocol === 'http:') return isLoopback(hostname) ? undefined : 'http is for loopback addresses only'
  if (activeSchemes.test(protocol)) return 'its scheme is not one of an application'
  if (clientSchemes.has(protocol) || protocol.includes('.')) return undefined
  return 'a scheme of an application has a dot in it, as com.example.app:/callback'
}

/** Most characters of the redirect URIs' text in a log line. */
const MAX_TOLD = 200

/**
 * Where logins return to, for the log: the hosts of redirect URIs, each once, separated by commas. A private-use
 * scheme, which names an application rather than a host, stands for itself.
 */
export function destinationOf(...uris: readonly string[]): string {
  const places = uris.map(uri => {
    const url = new URL(uri)
    return isOfWeb(url) ? url.host : url.protocol
  })
  return [...new Set(places)].join(',').slice(0, MAX_TOLD)
}

/** A loopback redirect URI in its three spellings. The port may differ; the groups before and after it must match. */
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?([/?].*)?$/

const withoutPort = (uri: string): string | undefined => {
  const parts = loopback.exec(uri)
  return parts === null ? undefined : `${parts[1]} ${parts[2] ?? ''}`
}

/**
 * Whether a redirect URI is a registered one. They are compared character by character, except for the port of a
 * loopback address, which native clients choose at run time (RFC 8252 section 7.3). `localhost` and 127.0.0.1 do not
 * match each other.
 */
export function matchesRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true
  const floating = withoutPort(asked)
  return floating !== undefined && parsedUrl(asked) !== undefined && floating === withoutPort(registered)
}
