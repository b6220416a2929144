/** As much as a session id carries (session/sealed-store.ts). */
const MAX_LENGTH = 512

/**
 * Normalizes an upstream address to the base of its REST API:
 * http or https only, a base URL gets /api/v4 added, a URL that ends so is kept, a path prefix is kept.
 * User info, query and fragment are refused rather than dropped, because whoever wrote them meant something.
 * So is what URL parsers mend, blanks and backslashes, and a list: a header sent twice arrives as one with a comma and a blank in it.
 * @returns the normalized URL without a trailing slash, or undefined when the text is no such address
 */
export function normalizeApiUrl(text: string): string | undefined {
  if (text.length > MAX_LENGTH || /[\s\\,]/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!isHttp(url) || url.hostname === '' || url.port === '0') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  // With a scheme twice the first would be a host, which gets the tokens.
  if (path.startsWith('//') || /^https?:\/\/https?:(?:\/|$)/i.test(text)) return undefined
  const normalized = `${url.origin}${path.endsWith('/api/v4') ? path : `${path}/api/v4`}`
  return normalized.length > MAX_LENGTH ? undefined : normalized
}

/**
 * Whether an API URL leads below the API of a forge, or to what it has of a project or group: another resource would stand
 * for each that a tool names. A proxy before the forge may decode the path, once; and several slashes are taken for one,
 * before or after dot segments are resolved.
 * @param apiUrl as of normalizeApiUrl
 */
export function isWithinForge(apiUrl: string): boolean {
  const url = new URL(apiUrl)
  try {
    const path = decodeURIComponent(url.pathname)
    return [path, withoutEmpty(path)].some(written => {
      // Assigned, its dot segments are resolved.
      url.pathname = written
      return /\/(?:api\/(?:v\d+|graphql)|-)\//i.test(withoutEmpty(url.pathname))
    })
  } catch {
    return true
  }
}

const withoutEmpty = (path: string): string => path.replace(/\/+/g, '/')

/**
 * Whether a text that is no API URL names a host all the same, such as one with a query, or a header sent twice: the token
 * is for that forge then, and for no other.
 */
export const namesHost = (text: string): boolean =>
  text.split(', ').some(part => URL.canParse(part) && isHttp(new URL(part)))

const isHttp = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'

export const REST_PATH = '/api/v4'
export const GRAPHQL_PATH = '/api/graphql'

/** A normalized API URL, taken apart once for all requests to it. */
export interface ApiBase {
  readonly origin: string
  /** Of the REST API, such as /api/v4. */
  readonly path: string
  /** The GraphQL endpoint beside it. */
  readonly graphqlPath: string
}

/** @param apiUrl as of normalizeApiUrl */
export function apiBase(apiUrl: string): ApiBase {
  const slash = apiUrl.indexOf('/', apiUrl.indexOf('//') + 2)
  const path = apiUrl.slice(slash)
  return { origin: apiUrl.slice(0, slash), path, graphqlPath: path.replace(/\/api\/v4$/, GRAPHQL_PATH) }
}
