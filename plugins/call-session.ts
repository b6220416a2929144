import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { startsSession } from '../src/protocol/dispatch.ts'
import { overCapacity } from '../src/protocol/refusal.ts'
import { assumedVersion, isLegacyVersion, isModernVersion } from '../src/protocol/versions.ts'
import { sameCredential } from '../src/session/credential.ts'
import { type LiveSession, type Session, SessionCapacityError } from '../src/session/store.ts'

/** The session a message is of. */
export interface CallSession {
  readonly session: Session
  /** Set when its id goes back with the answer; notifications alone start no session in memory. */
  readonly live?: LiveSession
  /** The client came with it, rather than begin it with this message. */
  readonly resumed: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The session of a request whose body is read. @throws Refusal when no further session fits */
    readonly callSession: (request: FastifyRequest) => CallSession
  }
  interface FastifyRequest {
    /** The session whose id the answer carries, whatever the answer is. */
    carried: LiveSession | undefined
  }
}

/** Decorates the session around a message: the one a request came with or begins, and its id on the answer. */
export default fp(
  async fastify => {
    const { sessions } = fastify

    /** What the headers alone tell, so that a refusal of the body carries an id too. */
    const sessionBefore = (request: FastifyRequest): LiveSession | undefined => {
      const { session, credential } = request.caller
      if (session !== undefined)
        return sameCredential(session.credential, credential) ? session : { ...session, credential }
      if (!sessions.stateless || isModernVersion(request.headers['mcp-protocol-version'])) return undefined
      return sessions.begin(draftOf(request), false)
    }

    const begin = (request: FastifyRequest, how: 'initialize' | 'implicit'): LiveSession => {
      try {
        return sessions.begin(draftOf(request), how === 'implicit')
      } catch (error) {
        throw error instanceof SessionCapacityError ? overCapacity(error.message) : error
      }
    }

    fastify.decorateRequest('carried')
    fastify.addHook('onRequest', async request => {
      if (request.method === 'POST') request.carried = sessionBefore(request)
    })
    fastify.addHook('onSend', async ({ carried }, reply) => {
      if (carried !== undefined) reply.header('mcp-session-id', sessions.carry(carried))
    })

    fastify.decorate('callSession', request => {
      const { session: came, live: hasCredential } = request.caller
      const starts = startsSession(request.body)
      // A sealed id cannot be told to be over, so initialize with a credential leaves it behind.
      const afresh = sessions.stateless && hasCredential && starts === 'initialize'
      if (starts !== undefined && (afresh || request.carried === undefined))
        request.carried = begin(request, starts)
      const live = request.carried
      return { session: live ?? draftOf(request), live, resumed: came !== undefined && !afresh }
    })
  },
  {
    fastify: '5.x',
    name: 'call-session',
    dependencies: ['bearer-guard', 'sessions'],
    decorators: { request: ['caller'] }
  }
)

function draftOf({ caller, headers }: FastifyRequest): Session {
  const version = headers['mcp-protocol-version']
  return {
    credential: caller.credential,
    apiUrl: undefined,
    activated: 0,
    version: typeof version === 'string' && isLegacyVersion(version) ? version : assumedVersion
  }
}
