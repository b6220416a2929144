import type { IncomingHttpHeaders } from 'node:http'
import { ForbiddenAddressError } from './addresses.ts'
import { ForbiddenHostError, type HostPolicy } from './hosts.ts'
import { isWithinForge, namesNoHost, normalizeApiUrl } from './url.ts'

/** The forge that a caller names in X-Forge-API-URL. */
export function namedForge({ 'x-forge-api-url': value }: IncomingHttpHeaders): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const ignoredApiUrl =
  'X-Forge-API-URL is ignored by this server (ENABLE_DYNAMIC_API_URL is off): it asks the forge of its FORGE_API_URL, which the token has to be of.'

/** Node reads the bytes of a header as Latin-1, clients write UTF-8: `fórge.example` would be another host. */
const beyondAscii = /[^\t -~]/
const apiUrlIn = (header: string): string | undefined =>
  beyondAscii.test(header) ? undefined : normalizeApiUrl(header)
/** Most characters of a header that are searched for a host. A longer one is more than a word, and may name a host. */
const MAX_READ = 1_024
const mayNameHost = (header: string): boolean =>
  header.length > MAX_READ || beyondAscii.test(header) || !namesNoHost(header)

/** How a session gets its forge. `undefined` as URL means the one of FORGE_API_URL. */
type ApiUrlChoice =
  | { readonly kind: 'use'; readonly apiUrl: string | undefined }
  /** The header names no host; FORGE_API_URL takes its place. */
  | { readonly kind: 'fallback'; readonly apiUrl: undefined }
  /**
   * The header is not the URL of a forge's API, but names a host, may name one in letters beyond ASCII, or leads into a
   * forge. Or it names no host, and the operator has set no forge to fall back on.
   */
  | { readonly kind: 'invalid' }
  /** No header, and nothing to fall back on. */
  | { readonly kind: 'missing' }
  /** A valid URL that the policy refuses. The token must not be sent elsewhere instead. */
  | { readonly kind: 'forbidden'; readonly host: string; readonly why: string }

interface ApiUrlsOptions {
  /** ENABLE_DYNAMIC_API_URL */
  readonly dynamic: boolean
  /** FORGE_API_URL, normalized. */
  readonly home: string
  /** Whether sessions whose callers name no forge may use it (src/config/home-forge.ts). */
  readonly hasHome: boolean
  readonly hosts: HostPolicy
}

/** Decides which forge a session uses: FORGE_API_URL or, with ENABLE_DYNAMIC_API_URL, that of X-Forge-API-URL. */
export class ApiUrls {
  readonly dynamic: boolean
  readonly #options: ApiUrlsOptions

  constructor(options: ApiUrlsOptions) {
    this.dynamic = options.dynamic
    this.#options = options
  }

  /**
   * @param header X-Forge-API-URL as sent, by a request that starts a session, or that comes to a session with another
   * credential than the session's
   */
  choose(header: string | undefined): ApiUrlChoice {
    const { dynamic, home, hasHome, hosts } = this.#options
    if (!dynamic) return { kind: 'use', apiUrl: undefined }
    if (header === undefined) return hasHome ? { kind: 'use', apiUrl: undefined } : { kind: 'missing' }
    const apiUrl = apiUrlIn(header)
    if (apiUrl === undefined)
      return hasHome && !mayNameHost(header) ? { kind: 'fallback', apiUrl: undefined } : { kind: 'invalid' }
    if (hasHome && apiUrl === home) return { kind: 'use', apiUrl: undefined }
    if (isWithinForge(apiUrl)) return { kind: 'invalid' }
    const url = new URL(apiUrl)
    try {
      hosts.check(url)
    } catch (error) {
      if (error instanceof ForbiddenHostError || error instanceof ForbiddenAddressError)
        return { kind: 'forbidden', host: url.host, why: error.message }
      throw error
    }
    return { kind: 'use', apiUrl }
  }

  /**
   * The message for a caller who names another forge although callers may not: its token is sent to FORGE_API_URL.
   * Undefined if there is nothing to tell.
   */
  ignored(headers: IncomingHttpHeaders): string | undefined {
    if (this.dynamic) return undefined
    const sent = namedForge(headers)
    return sent !== undefined && this.differs(sent, undefined) ? ignoredApiUrl : undefined
  }

  /** Whether a URL that a session was begun with may still be used. */
  accepts(apiUrl: string): boolean {
    const choice = this.choose(apiUrl)
    return choice.kind === 'use' && choice.apiUrl === apiUrl
  }

  /** Whether a header names a forge other than the session's, or no valid one. */
  differs(header: string, sessionUrl: string | undefined): boolean {
    return apiUrlIn(header) !== (sessionUrl ?? this.#options.home)
  }
}
