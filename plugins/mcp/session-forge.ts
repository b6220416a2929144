import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import {
  forbiddenApiUrl,
  invalidApiUrl,
  missingApiUrl,
  sessionNotFound
} from '../../src/protocol/messages/caller-refusals.ts'
import { isModernVersion } from '../../src/protocol/messages/versions.ts'
import { refuseTwice } from '../../src/protocol/transport/sent-once.ts'
import { sessionIdOf } from '../../src/protocol/transport/session-id.ts'
import { sameCredential } from '../../src/session/credential.ts'
import type { Session } from '../../src/session/store.ts'
import { namedForge } from '../../src/upstream/hosts/api-url.ts'

interface ChosenForge {
  readonly apiUrl: string | undefined
  readonly warning?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly sessionForge: SessionForge
  }
  interface FastifyRequest {
    /** The forge of the session that this request begins, once it is chosen. */
    forge: ChosenForge | undefined
  }
}

/** Decorates the choice of a session's forge by X-Forge-API-URL (spec 1, dynamic API URL). */
export default fp(
  async fastify => {
    fastify.decorateRequest('forge')
    fastify.decorate('sessionForge', new SessionForge(fastify))
  },
  {
    fastify: '5.x',
    name: 'mcp/session-forge',
    dependencies: ['mcp/bearer-guard', 'operations/metrics', 'forges/network', 'operations/sampled-log'],
    decorators: { request: ['caller'] }
  }
)

/** The effect of a request's X-Forge-API-URL on its session. */
class SessionForge {
  readonly #apiUrls: FastifyInstance['apiUrls']
  readonly #metrics: FastifyInstance['metrics']
  /** Anybody can send such URLs, each with a made-up token. */
  readonly #lines: ReturnType<FastifyInstance['sampledLog']>

  constructor({ apiUrls, metrics, sampledLog }: FastifyInstance) {
    this.#apiUrls = apiUrls
    this.#metrics = metrics
    this.#lines = sampledLog('warn', { kind: 'of', more: 'more custom API URLs of no use' })
  }

  /**
   * Chooses the forge of a session that the request begins, once for each request.
   * @returns the API URL of the forge; undefined for that of FORGE_API_URL
   * @throws Refusal if no forge can be chosen
   */
  of(request: FastifyRequest): string | undefined {
    if (this.#apiUrls.dynamic) refuseTwice(request.raw.rawHeaders, 'x-forge-api-url')
    if (request.forge === undefined) {
      request.forge = this.#choose(request)
      if (this.#apiUrls.ignored(request.headers) !== undefined)
        this.#warn('X-Forge-API-URL names another forge and is ignored', { requestId: request.id })
    }
    return request.forge.apiUrl
  }

  /**
   * Whether the session id belongs to a session at another forge, and the credential to another caller. Using such an
   * id would show the credential to a forge that it is not meant for.
   * @throws Refusal if the forge that the request names cannot be chosen, as when the request begins a session
   */
  isOfAnother(request: FastifyRequest): boolean {
    const { session, credential } = request.caller
    return (
      this.#apiUrls.dynamic &&
      session !== undefined &&
      namedForge(request.headers) !== undefined &&
      !sameCredential(session.credential, credential) &&
      this.of(request) !== session.apiUrl
    )
  }

  /** Logs that a session keeps its forge, if the request names another one. */
  keep({ id: requestId, headers }: FastifyRequest, { apiUrl }: Session): void {
    const sent = namedForge(headers)
    if (this.#apiUrls.dynamic && sent !== undefined && this.#apiUrls.differs(sent, apiUrl))
      this.#warn('X-Forge-API-URL differs from the one of the session and is ignored', { requestId })
  }

  /** Says, in words for a person, why the session's forge is not the one that the request names. */
  warning({ forge, headers }: FastifyRequest): string | undefined {
    return forge?.warning ?? this.#apiUrls.ignored(headers)
  }

  /** @throws Refusal if no forge can be chosen */
  #choose({ id: requestId, caller, headers, log }: FastifyRequest): ChosenForge {
    const sent = namedForge(headers)
    if (sent === undefined && this.#apiUrls.dynamic) {
      if (caller.session !== undefined) return { apiUrl: caller.session.apiUrl }
      // An expired id may have belonged to any forge, and another forge must not see the token.
      if (sessionIdOf(headers) !== undefined) throw sessionNotFound(caller.lost)
    }
    const choice = this.#apiUrls.choose(sent)
    switch (choice.kind) {
      case 'missing':
        throw missingApiUrl(!isModernVersion(headers['mcp-protocol-version']))
      case 'invalid':
        this.#warn('Invalid custom API URL provided', { requestId })
        throw invalidApiUrl()
      case 'forbidden':
        this.#warn('Forbidden custom API URL provided', { requestId, upstream: choice.host })
        throw forbiddenApiUrl(choice.why)
      case 'fallback':
        this.#warn('Invalid custom API URL provided', { requestId })
        this.#metrics.refused('url_invalid')
        return {
          apiUrl: undefined,
          warning: 'X-Forge-API-URL is no URL of a forge: FORGE_API_URL is used.'
        }
      case 'use':
        if (choice.apiUrl !== undefined) log.debug({ requestId, apiUrl: choice.apiUrl }, 'custom API URL')
        return { apiUrl: choice.apiUrl }
    }
  }

  #warn(message: string, fields: object): void {
    this.#lines.add(message, message, () => fields)
  }
}
