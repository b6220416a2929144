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

/** The session a message is of. */
export interface CallSession {
  readonly session: Session
  /** Set when its id goes back with the answer; notifications alone start no session in memory. */
  readonly live?: LiveSession
  /** The client came with it, rather than begin it with this message. */
  readonly resumed: boolean
  /** What was put right on the way, in words for a person. */
  readonly warnings: readonly string[]
}

/** An initialize, be it one that is refused. */
const isHandshake = (starts: ReturnType<typeof startsSession>): boolean =>
  starts === 'initialize' || starts === 'refused'

interface ChosenForge {
  readonly apiUrl: string | undefined
  /** Why it is another one than was asked for. */
  readonly warning?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The session of a request whose body is read. @throws Refusal when no further session fits */
    readonly callSession: (request: FastifyRequest) => CallSession
  }
  interface FastifyRequest {
    /** The session whose id the answer carries, whatever the answer is. */
    carried: LiveSession | undefined
    /** The forge of a session that this request begins, once it is chosen. */
    forge: ChosenForge | undefined
  }
}

/** Decorates the session around a message: the one a request came with or begins, and its id on the answer. */
export default fp(
  async fastify => {
    const { apiUrls, metrics, sessions } = fastify
    // Anybody sends them, with a made-up token for each.
    const lines = fastify.sampledLog('warn', { kind: 'of', more: 'more custom API URLs of no use' })
    const warn = (message: string, fields: object) => lines.add(message, message, () => fields)

    /** The forge of a session that begins, chosen once for a request. */
    const forgeOf = (request: FastifyRequest): string | undefined => {
      request.forge ??= chooseForge(request)
      return request.forge.apiUrl
    }

    const chooseForge = ({ id: requestId, caller, headers, log }: FastifyRequest): ChosenForge => {
      const sent = namedForge(headers)
      if (sent === undefined && apiUrls.dynamic) {
        if (caller.session !== undefined) return { apiUrl: caller.session.apiUrl }
        // A dead id may have been of any forge; another one must not get to see its token.
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
      // There the forge is asked about every credential before anything else.
      proven: fastify.oauth !== undefined
    })

    const draftOf = (request: FastifyRequest): Session => ({
      credential: request.caller.credential,
      apiUrl: forgeOf(request),
      activated: 0,
      version: unnegotiated
    })

    /**
     * The id is of another forge's session and the credential of another caller: following the id would show
     * the credential to a forge it is not for.
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

    /** What the headers alone tell, so that a refusal of the body carries an id too. */
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
      if (carried !== undefined && !isSilentOfIds(carried))
        reply.header('mcp-session-id', sessions.carry(carried))
      done(null, payload)
    })

    fastify.decorate('callSession', request => {
      const { session: came, live: hasCredential, lost } = request.caller
      const starts = startsSession(request.body)
      if (lost && !isHandshake(starts)) throw sessionNotFound()
      // A sealed id cannot be told to be over, so initialize with a credential leaves it behind.
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
