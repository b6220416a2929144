import { decodings } from '../../base/decodings.ts'
import { isOfWeb } from '../../base/host-names.ts'
import { parsedUrl } from '../../base/parsed-url.ts'
import { factsOf } from '../../config/schema.ts'

/** Where a forge serves its REST API, below its base. */
export const REST_PATH = '/api/v4'
/** Where it serves GraphQL. */
export const GRAPHQL_PATH = '/api/graphql'

/** The host of the default forge, where the only path is that of its API. */
export const DEFAULT_HOST = new URL(String(factsOf('FORGE_API_URL').default)).host

/** Most characters of an API URL: a session id has room for this many (session/sealed-store.ts). */
export const MAX_API_URL = 512

/**
 * Normalizes an upstream address to the base of its REST API. Only http and https are accepted. A base URL gets /api/v4
 * added, unless it ends with that; a path prefix is kept. User info, query and fragment are refused rather than
 * dropped, because whoever wrote them meant something. What URL parsers silently repair, such as blanks and
 * backslashes, is refused, too. So are lists: a header that is sent twice arrives as one value with a comma and a blank
 * in it. A semicolon ends a line in other notations, and would become a part of the host.
 * @returns the normalized URL without a trailing slash, or undefined if the text is not such an address
 */
export function normalizeApiUrl(text: string): string | undefined {
  const url = text.length > MAX_API_URL || /[\s\\,;${}]/.test(text) ? undefined : parsedUrl(text)
  if (url === undefined || !isOfWeb(url) || url.hostname === '' || url.port === '0') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  // With two schemes, the second would be read as a host, and that host would get the tokens.
  if (path.startsWith('//') || /^https?:\/\/https?:(?:\/|$)/i.test(text)) return undefined
  const normalized = `${url.origin}${path.endsWith(REST_PATH) ? path : `${path}${REST_PATH}`}`
  return normalized.length > MAX_API_URL ? undefined : normalized
}

/**
 * Whether an API URL points below the API of a forge, or into a project or group: then every path that a tool uses
 * would mean another resource. A proxy in front of the forge may decode the path once, and several slashes count as
 * one, before or after dot segments are resolved.
 * @param apiUrl as returned by normalizeApiUrl
 */
export function isWithinForge(apiUrl: string): boolean {
  const url = new URL(apiUrl)
  try {
    const path = decodeURIComponent(url.pathname)
    return [path, withoutEmpty(path)].some(written => {
      // Assigning the path resolves its dot segments.
      url.pathname = written
      return /\/(?:api\/(?:v\d+|graphql)|-)\//i.test(withoutEmpty(url.pathname))
    })
  } catch {
    return true
  }
}

const withoutEmpty = (path: string): string => path.replace(/\/+/g, '/')

/**
 * Whole texts that cannot name a host. Texts such as `http//bad` have a word in place of a host, and nothing that only
 * an address has. URLs of another scheme are listed if the scheme reaches no forge and cannot be a misspelt `https`.
 */
const nameless: readonly RegExp[] = [
  // Words, or a domain alone.
  /^[^\s/\\:;@[\]?#|=&]*$/,
  /^(?!.*\w\.\w)[^/\\:;@[\]?#|=&]*$/,
  // A scheme alone, or with a port or a mark.
  /^["'<\s]*(?:[a-z]{1,8}(?: s)?[:;]\/\/|https?[:;]?)["'<>\s/\\?#@[\]]*(?::\d+)?$/i,
  // A variable that was not filled in, and the path behind it.
  /^(?:\$\w+|\$?\{{1,2}\s?[a-z_]\w*(?::[a-z_]+)?\s?\}{1,2}|%\w+%|<\w+>)(?:\/api(?:\/v4)?\/?)?$/i,
  /^\/api(?:\/v4)?\/?$/i,
  /^(?:https?:|:|https?)\/\/(?:[[%]?\w+|\w+(?: \w+){2,})$/i,
  /^(?!.*https?:)(?:about|blob|data|dict|file|ftps?|gopher|javascript|ldaps?|mailto|sftp|smtp|tel|telnet|tftp|urn):[^@]*$/i
]

/** The scheme of a URL without user info. */
const scheme = /^([a-z][a-z\d+.-]{0,19}):\/\/[^@]*$/i

/** Whether the scheme of a URL is too far from `http` and `https` to be a slip, which gets at most one letter wrong. */
function isOfOtherScheme(text: string): boolean {
  const [, letters] = scheme.exec(text) ?? []
  if (letters === undefined || text.toLowerCase().includes('http')) return false
  let left = 'https'
  for (const letter of letters.toLowerCase()) left = left.replace(letter, '')
  return left.length > 2
}

/**
 * Whether a text that is not an API URL names no host either: only then FORGE_API_URL takes its place (spec 1, dynamic
 * API URL). With any other text the token is meant for another forge, whose URL may be misspelt, in quotes, encoded or
 * sent twice.
 */
export const namesNoHost = (text: string): boolean =>
  // A text that is encoded so many times is more than a word, and may name a host.
  decodings(text)?.every(
    written => nameless.some(pattern => pattern.test(written)) || isOfOtherScheme(written)
  ) ?? false

/** The base of a forge, where its pages are. @param apiUrl as returned by normalizeApiUrl */
export const forgeBase = (apiUrl: string): string => apiUrl.slice(0, -REST_PATH.length)

/**
 * Where a forge may be that an address leads into: at the root of its host, or below a prefix. Only a path of the API
 * shows which: behind a prefix, the pages of a group look as those of a project without one.
 * @param url of the API, of a page, or of a repository
 * @returns base URLs, the likelier first
 */
export function basesAround({ origin, host, pathname }: URL): readonly string[] {
  if (host === DEFAULT_HOST) return [origin]
  const [beforeApi] = /^.*?(?=\/api(?:\/|$))/.exec(withoutEmpty(pathname)) ?? []
  if (beforeApi !== undefined) return [origin + beforeApi]
  const [beforePage = '', page] = withoutEmpty(pathname).split('/-/', 2)
  const steps = beforePage.split('/').filter(step => step !== '')
  const below = `${origin}/${steps[0]}`
  // Without a prefix, a group has /groups/ before its path there, and a project is in a group.
  if (page !== undefined && steps.length === 1) return [below]
  return steps.length > 2 ? [origin, below] : [origin]
}

/** A normalized API URL, parsed once for all requests to it. */
export interface ApiBase {
  readonly origin: string
  /** Path of the REST API, such as /api/v4. */
  readonly path: string
  /** The GraphQL endpoint beside it. */
  readonly graphqlPath: string
}

/** @param apiUrl as returned by normalizeApiUrl */
export function apiBase(apiUrl: string): ApiBase {
  const slash = apiUrl.indexOf('/', apiUrl.indexOf('//') + 2)
  const path = apiUrl.slice(slash)
  return {
    origin: apiUrl.slice(0, slash),
    path,
    graphqlPath: path.slice(0, -REST_PATH.length) + GRAPHQL_PATH
  }
}
