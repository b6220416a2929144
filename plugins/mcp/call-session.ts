import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { holderOf } from '../../src/base/holders.ts'
import { startsSession } from '../../src/protocol/eras/dispatch.ts'
import { sessionNotFound } from '../../src/protocol/messages/caller-refusals.ts'
import { overCapacity, tooManyFailures } from '../../src/protocol/messages/limit-refusals.ts'
import { isModernVersion, unnegotiated } from '../../src/protocol/messages/versions.ts'
import { principalAt, sameCredential } from '../../src/session/credential.ts'
import {
  isSilentOfIds,
  type LiveSession,
  type Session,
  SessionCapacityError
} from '../../src/session/store.ts'

/** The session that a message belongs to. */
interface CallSession {
  readonly session: Session
  /** Set if the session's id is sent with the answer. Notifications alone start no session in memory. */
  readonly live?: LiveSession
  /** Whether the client sent the id of the session, and did not begin the session with this message. */
  readonly resumed: boolean
  /** Corrections that were made on the way, in words for a person. */
  readonly warnings: readonly string[]
}

/** Whether the message is an initialize, even one that is refused. */
const isHandshake = (starts: ReturnType<typeof startsSession>): boolean =>
  starts === 'initialize' || starts === 'refused'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * The session of a request whose body is read.
     * @throws Refusal when there is no room for another session
     */
    readonly callSession: (request: FastifyRequest) => CallSession
  }
  interface FastifyRequest {
    /** The session whose id is sent with the answer, whatever the answer says. */
    carried: LiveSession | undefined
  }
}

/**
 * Decorates the function that finds the session of a message: the session that the request names, or a new one. Sends
 * the session's id with the answer.
 */
export default fp(
  async fastify => {
    const { triedTokens, sessionForge, sessions } = fastify
    const finder = new SessionFinder(fastify)

    fastify.decorateRequest('carried')
    fastify.addHook('onRequest', (request, _reply, done) => {
      if (sessionForge.isOfAnother(request)) {
        if (!sessions.stateless) throw sessionNotFound('another')
        request.caller = { credential: request.caller.credential, live: true }
      }
      const { credential, session } = request.caller
      const seconds = triedTokens?.refuses(request.ip, () =>
        principalAt({ credential, apiUrl: session === undefined ? sessionForge.of(request) : session.apiUrl })
      )
      if (seconds !== undefined) throw tooManyFailures(seconds)
      if (request.method === 'POST') request.carried = finder.byHeaders(request)
      done()
    })
    fastify.addHook('onSend', ({ carried }, reply, payload, done) => {
      const sid = carried === undefined || isSilentOfIds(carried) ? undefined : sessions.carry(carried)
      if (sid !== undefined) reply.header('mcp-session-id', sid)
      done(null, payload)
    })

    fastify.decorate('callSession', request => finder.byMessage(request))
  },
  {
    fastify: '5.x',
    name: 'mcp/call-session',
    dependencies: [
      'mcp/bearer-guard',
      'sessions/tried-tokens',
      'oauth/mode',
      'mcp/session-forge',
      'sessions/store'
    ],
    decorators: { request: ['caller'] }
  }
)

/** Finds the session of a request, or begins one. */
class SessionFinder {
  readonly #sessionForge: FastifyInstance['sessionForge']
  readonly #sessions: FastifyInstance['sessions']
  /** In OAuth mode, the forge is asked about every credential before anything else. */
  readonly #proven: boolean

  constructor({ oauth, sessionForge, sessions }: FastifyInstance) {
    this.#sessionForge = sessionForge
    this.#sessions = sessions
    this.#proven = oauth !== undefined
  }

  /** Finds or begins the session by the headers alone, so that the answer has an id even if the body is refused. */
  byHeaders(request: FastifyRequest): LiveSession | undefined {
    const { session, credential, isGuest: isGuests = false } = request.caller
    if (session !== undefined)
      return sameCredential(session.credential, credential) ? session : { ...session, credential, isGuests }
    const { stateless } = this.#sessions
    if (!stateless || isModernVersion(request.headers['mcp-protocol-version'])) return undefined
    return this.#begin(request, false)
  }

  /** Finds or begins the session once the body is read. @throws Refusal when there is no room for another session */
  byMessage(request: FastifyRequest): CallSession {
    const { session: came, live: hasCredential, lost } = request.caller
    const starts = startsSession(request.body)
    if (lost !== undefined && !isHandshake(starts)) throw sessionNotFound(lost)
    // A sealed id cannot be ended, so an initialize with a credential starts a new session instead.
    const afresh = came !== undefined && this.#sessions.stateless && hasCredential && isHandshake(starts)
    if (starts !== undefined && starts !== 'refused' && (afresh || request.carried === undefined))
      request.carried = this.#beginIfRoom(request, starts === 'implicit')
    else if (came !== undefined) this.#sessionForge.keep(request, came)
    const live = request.carried
    const session = live ?? this.#draft(request)
    const warning = this.#sessionForge.warning(request)
    return {
      session,
      live,
      resumed: came !== undefined && !afresh,
      warnings: warning === undefined ? [] : [warning]
    }
  }

  /** @throws Refusal when there is no room for another session */
  #beginIfRoom(request: FastifyRequest, shared: boolean): LiveSession {
    try {
      return this.#begin(request, shared)
    } catch (error) {
      throw error instanceof SessionCapacityError ? overCapacity(error.message) : error
    }
  }

  /** @param shared whether all clients that have the credential share the session */
  #begin(request: FastifyRequest, shared: boolean): LiveSession {
    return this.#sessions.begin(this.#draft(request), {
      shared,
      address: holderOf(request.ip),
      proven: this.#proven
    })
  }

  /** A session that the request may begin. */
  #draft(request: FastifyRequest): Session {
    const { credential, user } = request.caller
    return {
      credential,
      user,
      apiUrl: this.#sessionForge.of(request),
      activated: 0,
      version: unnegotiated
    }
  }
}
