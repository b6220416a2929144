import type { Dispatcher } from 'undici'
import { type Credential, credentialHeader } from '../session/credential.ts'
import { parseBody, scrub, statusError } from './answer.ts'
import { ForgeError } from './errors.ts'
import { type ExchangeLimits, exchange, type Reply, type ReplyHeaders } from './exchange.ts'
import { graphqlUrl } from './url.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface ForgeRequest {
  readonly method: Method
  /** Below the API base, encoded, with its query: `/projects/1/issues?state=opened`. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
}

export interface ForgeAnswer {
  readonly status: number
  readonly headers: ReplyHeaders
  /** Parsed JSON; undefined when the forge sent no body. */
  readonly value: unknown
}

/** What a tool may do with the forge: calls in one caller's name. */
export interface ForgeClient {
  /** @throws ForgeStatusError for a status outside 2xx, ForgeError when there is no usable answer */
  send(request: ForgeRequest): Promise<ForgeAnswer>
  /** Runs a constant document; gives `data`. @throws ForgeError graphql on top-level errors */
  graphql(document: string, variables: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
}

export interface Upstream {
  /** Normalized REST base, as of `normalizeApiUrl`. */
  readonly apiUrl: string
  readonly dispatcher: Dispatcher
  readonly limits: ExchangeLimits
  readonly userAgent: string
}

const MAX_REDIRECTS = 5
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Calls to one forge with one caller's credential. Exactly one credential header goes out, and only to the
 * origin of the configured base: a redirect that leaves it is an error, because HTTP clients keep
 * Private-Token across hosts (reference: hardening.md 0.2).
 */
export class CallerForgeClient implements ForgeClient {
  readonly #upstream: Upstream
  readonly #origin: string
  readonly #basePath: string
  readonly #token: string
  readonly #headers: Record<string, string>
  readonly #signal: AbortSignal | undefined

  /** @param signal aborts what is under way, when the caller has gone */
  constructor(upstream: Upstream, credential: Credential, signal?: AbortSignal) {
    const slash = upstream.apiUrl.indexOf('/', upstream.apiUrl.indexOf('//') + 2)
    this.#upstream = upstream
    this.#origin = upstream.apiUrl.slice(0, slash)
    this.#basePath = upstream.apiUrl.slice(slash)
    this.#token = credential.token
    this.#signal = signal
    const [name, value] = credentialHeader(credential)
    this.#headers = {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': upstream.userAgent,
      [name]: value
    }
  }

  async send({ method, path, body }: ForgeRequest): Promise<ForgeAnswer> {
    const reply = await this.#follow(method, `${this.#basePath}${path}`, body)
    if (reply.status < 200 || reply.status > 299) throw statusError(reply, this.#token, Date.now())
    return { status: reply.status, headers: reply.headers, value: parseBody(reply) }
  }

  async graphql(
    document: string,
    variables: Readonly<Record<string, unknown>>
  ): Promise<Record<string, unknown>> {
    const path = graphqlUrl(this.#upstream.apiUrl).slice(this.#origin.length)
    const reply = await this.#exchange('POST', path, { query: document, variables })
    if (reply.status !== 200) throw statusError(reply, this.#token, Date.now())
    const { data, errors } = (parseBody(reply) ?? {}) as { data?: unknown; errors?: { message?: unknown }[] }
    if (Array.isArray(errors) && errors.length > 0)
      throw new ForgeError(
        'graphql',
        scrub(errors.map(error => String(error?.message)).join('; '), this.#token)
      )
    if (typeof data !== 'object' || data === null)
      throw new ForgeError('bad-answer', 'The forge answered a GraphQL request without data.')
    return data as Record<string, unknown>
  }

  async #follow(method: Method, path: string, body: unknown): Promise<Reply> {
    let at = path
    for (let hops = 0; ; hops++) {
      const reply = await this.#exchange(method, at, body)
      if (!redirects.has(reply.status) || method !== 'GET') return reply
      if (hops === MAX_REDIRECTS) throw new ForgeError('bad-answer', 'The forge redirects in circles.')
      at = this.#sameOrigin(String(reply.headers.location ?? ''), at)
    }
  }

  /** The path of a redirect that stays on the forge. */
  #sameOrigin(location: string, from: string): string {
    const base = `${this.#origin}${from}`
    if (location === '' || !URL.canParse(location, base))
      throw new ForgeError('bad-answer', 'The forge redirects to nowhere.')
    const url = new URL(location, base)
    if (url.origin !== this.#origin)
      throw new ForgeError('bad-answer', 'The forge redirects to another host; the token stays here.')
    return url.pathname + url.search
  }

  #exchange(method: Method, path: string, body: unknown): Promise<Reply> {
    const { dispatcher, limits } = this.#upstream
    const headers =
      body === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' }
    return exchange(
      dispatcher,
      { origin: this.#origin, path, method, headers, body: body === undefined ? null : JSON.stringify(body) },
      limits,
      this.#signal
    )
  }
}
