import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { holderOf } from '../src/edge/address.ts'
import { startsSession } from '../src/protocol/dispatch.ts'
import {
  forbiddenApiUrl,
  invalidApiUrl,
  missingApiUrl,
  overCapacity,
  sessionNotFound
} from '../src/protocol/refusal.ts'
import { refuseTwice } from '../src/protocol/sent-once.ts'
import { sessionIdOf } from '../src/protocol/session-id.ts'
import { isModernVersion, unnegotiated } from '../src/protocol/versions.ts'
import { sameCredential } from '../src/session/credential.ts'
import {
  type Beginning,
  isSilentOfIds,
  type LiveSession,
  type Session,
  SessionCapacityError
} from '../src/session/store.ts'
import { namedForge } from '../src/upstream/connections/api-url.ts'

/** The session that a message belongs to. */
export interface CallSession {
  readonly session: Session
  /** Set if its id is sent with the answer; notifications alone start no session in memory. */
  readonly live?: LiveSession
  /** The client sent its id, and did not begin it with this message. */
  readonly resumed: boolean
  /** What was corrected on the way, in words for a person. */
  readonly warnings: readonly string[]
}

/** Whether it is an initialize, even one that is refused. */
const isHandshake = (starts: ReturnType<typeof startsSession>): boolean =>
  starts === 'initialize' || starts === 'refused'

interface ChosenForge {
  readonly apiUrl: string | undefined
  /** Why it is not the one that was asked for. */
  readonly warning?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The session of a request whose body is read. @throws Refusal when no further session fits */
    readonly callSession: (request: FastifyRequest) => CallSession
  }
  interface FastifyRequest {
    /** The session whose id is sent with the answer, whatever the answer is. */
    carried: LiveSession | undefined
    /** The forge of a session that this request begins, once it is chosen. */
    forge: ChosenForge | undefined
  }
}

/** Decorates the session of a message: the one that the request names or begins. Sends its id with the answer. */
export default fp(
  async fastify => {
    const { apiUrls, metrics, sessions } = fastify
    // Anybody can send them, with a made-up token each.
    const lines = fastify.sampledLog('warn', { kind: 'of', more: 'more custom API URLs of no use' })
    const warn = (message: string, fields: object) => lines.add(message, message, () => fields)

    /** The forge of a new session, chosen once for each request. */
    const forgeOf = (request: FastifyRequest): string | undefined => {
      if (apiUrls.dynamic) refuseTwice(request.raw.rawHeaders, 'x-forge-api-url')
      request.forge ??= chooseForge(request)
      return request.forge.apiUrl
    }

    const chooseForge = ({ id: requestId, caller, headers, log }: FastifyRequest): ChosenForge => {
      const sent = namedForge(headers)
      if (sent === undefined && apiUrls.dynamic) {
        if (caller.session !== undefined) return { apiUrl: caller.session.apiUrl }
        // An expired id may have belonged to any forge; another forge must not see its token.
        if (sessionIdOf(headers) !== undefined) throw sessionNotFound()
      }
      const choice = apiUrls.choose(sent)
      switch (choice.kind) {
        case 'missing':
          throw missingApiUrl()
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

    const beginning = ({ ip }: FastifyRequest, shared: boolean): Beginning => ({
      shared,
      address: holderOf(ip),
      // In OAuth mode, the forge is asked about every credential before anything else.
      proven: fastify.oauth !== undefined
    })

    const draftOf = (request: FastifyRequest): Session => ({
      credential: request.caller.credential,
      apiUrl: forgeOf(request),
      activated: 0,
      version: unnegotiated
    })

    /**
     * Whether the id belongs to a session at another forge, and the credential to another caller: using the id would
     * show the credential to a forge that it is not for.
     */
    const isOfAnother = ({ caller: { session, credential }, headers }: FastifyRequest): boolean => {
      if (!apiUrls.dynamic || session === undefined) return false
      const sent = namedForge(headers)
      return (
        sent !== undefined &&
        !sameCredential(session.credential, credential) &&
        apiUrls.leadsElsewhere(sent, session.apiUrl)
      )
    }

    const noteOtherForge = ({ id: requestId, headers }: FastifyRequest, { apiUrl }: Session): void => {
      const sent = namedForge(headers)
      if (apiUrls.dynamic && sent !== undefined && apiUrls.differs(sent, apiUrl))
        warn('X-Forge-API-URL differs from the one of the session and is ignored', { requestId })
    }

    /** The session by the headers alone, so that the answer has an id even if the body is refused. */
    const sessionBefore = (request: FastifyRequest): LiveSession | undefined => {
      const { session, credential } = request.caller
      if (session !== undefined)
        return sameCredential(session.credential, credential) ? session : { ...session, credential }
      if (!sessions.stateless || isModernVersion(request.headers['mcp-protocol-version'])) return undefined
      return sessions.begin(draftOf(request), beginning(request, false))
    }

    const begin = (request: FastifyRequest, how: 'initialize' | 'implicit'): LiveSession => {
      try {
        return sessions.begin(draftOf(request), beginning(request, how === 'implicit'))
      } catch (error) {
        throw error instanceof SessionCapacityError ? overCapacity(error.message) : error
      }
    }

    fastify.decorateRequest('carried')
    fastify.decorateRequest('forge')
    fastify.addHook('onRequest', (request, _reply, done) => {
      if (isOfAnother(request)) {
        if (!sessions.stateless) throw sessionNotFound()
        request.caller = { credential: request.caller.credential, live: true }
      }
      if (request.method === 'POST') request.carried = sessionBefore(request)
      done()
    })
    fastify.addHook('onSend', ({ carried }, reply, payload, done) => {
      const sid = carried === undefined || isSilentOfIds(carried) ? undefined : sessions.carry(carried)
      if (sid !== undefined) reply.header('mcp-session-id', sid)
      done(null, payload)
    })

    fastify.decorate('callSession', request => {
      const { session: came, live: hasCredential, lost } = request.caller
      const starts = startsSession(request.body)
      if (lost && !isHandshake(starts)) throw sessionNotFound()
      // A sealed id cannot be ended, so an initialize with a credential starts a new session instead.
      const afresh = came !== undefined && sessions.stateless && hasCredential && isHandshake(starts)
      if (starts !== undefined && starts !== 'refused' && (afresh || request.carried === undefined))
        request.carried = begin(request, starts)
      else if (came !== undefined) noteOtherForge(request, came)
      const live = request.carried
      const session = live ?? draftOf(request)
      const warning = request.forge?.warning ?? apiUrls.ignored(request.headers)
      return {
        session,
        live,
        resumed: came !== undefined && !afresh,
        warnings: warning === undefined ? [] : [warning]
      }
    })
  },
  {
    fastify: '5.x',
    name: 'call-session',
    dependencies: ['bearer-guard', 'sampled-log', 'metrics', 'network', 'sessions'],
    decorators: { request: ['caller'] }
  }
)
