import type { FastifyRequest } from 'fastify'
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

/** The effect of a request's X-Forge-API-URL on its session. */
interface SessionForge {
  /**
   * Chooses the forge of a session that the request begins, once for each request.
   * @returns the API URL of the forge; undefined for that of FORGE_API_URL
   * @throws Refusal if no forge can be chosen
   */
  of(request: FastifyRequest): string | undefined
  /**
   * Whether the session id belongs to a session at another forge, and the credential to another caller. Using such an
   * id would show the credential to a forge that it is not meant for.
   * @throws Refusal if the forge that the request names cannot be chosen, as when the request begins a session
   */
  isOfAnother(request: FastifyRequest): boolean
  /** Logs that a session keeps its forge, if the request names another one. */
  keep(request: FastifyRequest, session: Session): void
  /** Says, in words for a person, why the session's forge is not the one that the request names. */
  warning(request: FastifyRequest): string | undefined
}

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
    const { apiUrls, metrics } = fastify
    // Anybody can send such URLs, each with a made-up token.
    const lines = fastify.sampledLog('warn', { kind: 'of', more: 'more custom API URLs of no use' })
    const warn = (message: string, fields: object) => lines.add(message, message, () => fields)

    const choose = ({ id: requestId, caller, headers, log }: FastifyRequest): ChosenForge => {
      const sent = namedForge(headers)
      if (sent === undefined && apiUrls.dynamic) {
        if (caller.session !== undefined) return { apiUrl: caller.session.apiUrl }
        // An expired id may have belonged to any forge, and another forge must not see the token.
        if (sessionIdOf(headers) !== undefined) throw sessionNotFound(caller.lost)
      }
      const choice = apiUrls.choose(sent)
      switch (choice.kind) {
        case 'missing':
          throw missingApiUrl(!isModernVersion(headers['mcp-protocol-version']))
        case 'invalid':
          warn('Invalid custom API URL provided', { requestId })
          throw invalidApiUrl()
        case 'forbidden':
          warn('Forbidden custom API URL provided', { requestId, upstream: choice.host })
          throw forbiddenApiUrl(choice.why)
        case 'fallback':
          warn('Invalid custom API URL provided', { requestId })
          metrics.refused('url_invalid')
          return {
            apiUrl: undefined,
            warning: 'X-Forge-API-URL is no URL of a forge: FORGE_API_URL is used.'
          }
        case 'use':
          if (choice.apiUrl !== undefined) log.debug({ requestId, apiUrl: choice.apiUrl }, 'custom API URL')
          return { apiUrl: choice.apiUrl }
      }
    }

    fastify.decorateRequest('forge')
    const forgeOf = (request: FastifyRequest): string | undefined => {
      if (apiUrls.dynamic) refuseTwice(request.raw.rawHeaders, 'x-forge-api-url')
      if (request.forge === undefined) {
        request.forge = choose(request)
        if (apiUrls.ignored(request.headers) !== undefined)
          warn('X-Forge-API-URL names another forge and is ignored', { requestId: request.id })
      }
      return request.forge.apiUrl
    }

    fastify.decorate('sessionForge', {
      of: forgeOf,
      isOfAnother(request) {
        const { session, credential } = request.caller
        return (
          apiUrls.dynamic &&
          session !== undefined &&
          namedForge(request.headers) !== undefined &&
          !sameCredential(session.credential, credential) &&
          forgeOf(request) !== session.apiUrl
        )
      },
      keep({ id: requestId, headers }, { apiUrl }) {
        const sent = namedForge(headers)
        if (apiUrls.dynamic && sent !== undefined && apiUrls.differs(sent, apiUrl))
          warn('X-Forge-API-URL differs from the one of the session and is ignored', { requestId })
      },
      warning: ({ forge, headers }) => forge?.warning ?? apiUrls.ignored(headers)
    })
  },
  {
    fastify: '5.x',
    name: 'mcp/session-forge',
    dependencies: ['mcp/bearer-guard', 'operations/metrics', 'forges/network', 'operations/sampled-log'],
    decorators: { request: ['caller'] }
  }
)
