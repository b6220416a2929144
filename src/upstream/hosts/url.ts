import { decodings } from '../../base/decodings.ts'
import { nearest } from '../../base/nearest.ts'
import { MAX_HOST_CHARS, parsedUrl } from '../../base/parsed-url.ts'

/** Where a forge serves its REST API, below its base. */
export const REST_PATH = '/api/v4'
/** Where it serves GraphQL. */
export const GRAPHQL_PATH = '/api/graphql'

/** Most characters: a session id has room for as many (session/sealed-store.ts). */
export const MAX_API_URL = 512

/** Most values of a header sent several times that are looked at. */
const MAX_PARTS = 16

/**
 * Normalizes an upstream address to the base of its REST API: http or https only, a base URL gets /api/v4 added, a URL
 * that ends so is kept, a path prefix is kept. User info, query and fragment are refused rather than dropped, because
 * whoever wrote them meant something. What URL parsers silently repair, such as blanks and backslashes, is refused too,
 * and so are lists: a header sent twice arrives as one value with a comma and a blank in it.
 * @returns the normalized URL without a trailing slash, or undefined if the text is not such an address
 */
export function normalizeApiUrl(text: string): string | undefined {
  const url = text.length > MAX_API_URL || /[\s\\,]/.test(text) ? undefined : parsedUrl(text)
  if (url === undefined || !isHttp(url) || url.hostname === '' || url.port === '0') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  // With two schemes, the second would be read as a host, which would get the tokens.
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
 * Whether a text that is not an API URL names a host all the same, such as one with a query, one in quotes, or a header
 * sent twice: then the token is meant for that forge, and for no other. A bare word names none, be it a domain, nor does
 * a URL of another scheme: those are the invalid URLs that FORGE_API_URL takes the place of (spec 1, dynamic API URL).
 */
export const namesHost = (text: string): boolean =>
  // Whoever encodes a text so many times has more in it than a word.
  decodings(text)?.some(written => written.split(',', MAX_PARTS).map(withItsScheme).some(isOfHost)) ?? true

const isOfHost = (part: string): boolean =>
  isHttp(parsedUrl(part)) || isTooLong(part) || isAfterSlashes(part) || isWithMore(part)

/** Whether its host, if that is one behind a scheme, is too long for it to be parsed. */
const isTooLong = (part: string): boolean => part.length > MAX_HOST_CHARS && part.includes(':')

/** With `https:` for what is nearly that or `http:` before `//`, such as `htps:` or `https;`, and no scheme of its own. */
const withItsScheme = (part: string): string =>
  part.replace(/^\W*(\w[\w\s]{1,8})[:;]\s*(?=[\\/]{2})/, (found, scheme: string) =>
    nearest(scheme.replaceAll(/\s/g, ''), ['http', 'https']) === undefined ? found : 'https:'
  )

/**
 * Behind `//` or what was to be `https://`: a name with a dot, a port or something else that only an address has, with
 * whatever is wrong with it; or one word, after a scheme and without other words behind it.
 */
function isAfterSlashes(text: string): boolean {
  const [, scheme, rest = ''] =
    /(?:^[^\w\\/]*[\\/]{2}|(http\s?s?:)|http\s?s?[\s;]*[\\/])[\s\\/]*(.+)/i.exec(text) ?? []
  return (
    /\w/.test(rest) &&
    (/[.@]|\w\W*[:%\]]|::/.test(rest) || (scheme !== undefined && /^\w[^\s\\/?#]*(?:[\\/?#]|$)/.test(rest)))
  )
}

/**
 * Without a scheme: a user at a host, a name with a dot before a port or a path, an address in brackets, or any name with
 * a port.
 */
const isWithMore = (text: string): boolean =>
  /^[^\w[]{0,8}(?:[^\s@\\/]+@[\w[]|(?:[\w-]+\.)+[\w-]*(?:[:\\/?#]|;\d)|\[[\da-f:.]+\](?:[:\\/?#]|$)|[\w-]+[:;]\d+(?:[\\/?#]|$))/i.test(
    text
  )

const isHttp = (url: URL | undefined): boolean => url?.protocol === 'http:' || url?.protocol === 'https:'

/** The base of a forge, where its pages are. @param apiUrl as returned by normalizeApiUrl */
export const forgeBase = (apiUrl: string): string => apiUrl.slice(0, -REST_PATH.length)

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
