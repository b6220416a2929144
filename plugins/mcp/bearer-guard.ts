import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { holderOf } from '../../src/base/holders.ts'
import { abandonment } from '../../src/edge/answers/abandonment.ts'
import {
  authenticationRequired,
  badCredential,
  missingCredential,
  type SessionLoss,
  sessionNotFound
} from '../../src/protocol/messages/caller-refusals.ts'
import type { Refusal } from '../../src/protocol/messages/refusal.ts'
import { isModernVersion } from '../../src/protocol/messages/versions.ts'
import { sessionIdOf } from '../../src/protocol/transport/session-id.ts'
import { strayToken } from '../../src/protocol/transport/stray-token.ts'
import { type Credential, readCredential } from '../../src/session/credential.ts'
import { type Standing, standingByCalls, standingByUser } from '../../src/session/standing.ts'
import type { LiveSession } from '../../src/session/store.ts'

/** The caller, and the live session that the call belongs to. */
interface Caller {
  readonly credential: Credential
  /** Whether the request itself carried the credential; otherwise the credential is the one kept with the session. */
  readonly live: boolean
  /** The forge's id of the caller's user, if the forge is asked about every credential and names a user. */
  readonly user?: string | undefined
  /** Absent, as if its id were unknown, if the caller is a stranger to the session (session/standing.ts). */
  readonly session?: LiveSession
  /** Set if the caller is a guest in the session. */
  readonly isGuest?: true
  /**
   * Why the request's session id gives no session: it has expired, never was one, or is of a session that the caller
   * may not use.
   */
  readonly lost?: SessionLoss
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every request in the guarded scope. */
    caller: Caller
  }
}

/**
 * Lets requests through to the routes of its scope only with a credential or a live session. It reads only headers, so
 * it can refuse a request before the body is read.
 */
export default fp(
  async fastify => {
    const { REMOTE_AUTHORIZATION, FORGE_PERSONAL_ACCESS_TOKEN } = fastify.config
    const { oauth, sessions } = fastify
    const own = (token: string): Credential => ({ kind: 'private-token', token })
    let fixed = REMOTE_AUTHORIZATION || oauth !== undefined ? undefined : own(FORGE_PERSONAL_ACCESS_TOKEN)
    if (fixed !== undefined)
      fastify.onNewSettings({
        variables: ['FORGE_PERSONAL_ACCESS_TOKEN'],
        use(config) {
          fixed = own(config.FORGE_PERSONAL_ACCESS_TOKEN)
        }
      })

    const identify = identification(fastify, fixed !== undefined)
    const admit = (request: FastifyRequest, credential: Credential | undefined, user?: string): void => {
      const caller = identify(request, credential, user)
      // Set before anything is refused: the log line of a refusal names the owner of the token.
      request.caller = caller
      request.log.debug(
        { requestId: request.id, kind: caller.credential.kind, from: caller.live ? 'header' : 'session' },
        'token taken'
      )
    }

    fastify.decorateRequest('caller')
    if (oauth === undefined)
      fastify.addHook('onRequest', (request, _reply, done) => {
        admit(request, fixed ?? sentCredential(request))
        done()
      })
    else
      fastify.addHook('onRequest', async (request, reply) => {
        const gone = abandonment(reply.raw)
        try {
          const credential = sentCredential(request)
          let user: string | undefined
          if (credential !== undefined) {
            request.caller = { credential, live: true }
            user = await oauth.guard.admit(credential, holderOf(request.ip), gone)
          }
          // In OAuth mode a session id stands for a credential only if the id is sealed.
          else if (!sessions.stateless) throw missingCredential(strayToken(request.raw))
          admit(request, credential, user)
          // The credential that is kept with the session may have expired since.
          if (!request.caller.live)
            await oauth.guard.admit(request.caller.credential, holderOf(request.ip), gone, true)
        } catch (error) {
          throw oauth.guard.challenged(error)
        }
      })
  },
  {
    fastify: '5.x',
    name: 'mcp/bearer-guard',
    dependencies: [
      'operations/env',
      'sessions/caller-names',
      'operations/changed-settings',
      'oauth/mode',
      'sessions/store'
    ]
  }
)

type Identify = (request: FastifyRequest, credential: Credential | undefined, user?: string) => Caller

/**
 * Makes the function that finds out who calls, by the credential of a request or else by the one of its session.
 * @param isFixed whether everybody calls with the token of this service
 * @returns that function; it throws Refusal where there is neither credential nor session
 */
function identification(fastify: FastifyInstance, isFixed: boolean): Identify {
  const { callerNames, sessions } = fastify
  const nameOf = (principal: string) => callerNames?.nameOf(principal)
  const standing = (session: LiveSession, credential: Credential, user: string | undefined): Standing => {
    // A sealed id contains the token of whoever has it, and a fixed token is everybody's.
    if (sessions.stateless || isFixed) return 'holder'
    return user === undefined && session.user === undefined
      ? standingByCalls(session, credential, nameOf)
      : standingByUser(session, credential, user)
  }

  const lossOf = (sid: string | undefined, session?: LiveSession): SessionLoss | undefined => {
    if (sid === undefined || sessions.stateless) return undefined
    return session === undefined ? (sessions.endOf(sid) ?? 'unknown') : 'another'
  }

  const unauthenticated = ({ headers, raw }: FastifyRequest, sid: string | undefined): Refusal => {
    if (!sessions.stateless) return missingCredential(strayToken(raw), lossOf(sid))
    if (sid !== undefined) return sessionNotFound()
    return authenticationRequired(strayToken(raw), !isModernVersion(headers['mcp-protocol-version']))
  }

  return (request, credential, user) => {
    const sid = sessionIdOf(request.headers)
    const session = sid === undefined ? undefined : sessions.open(sid, request.id)
    if (credential === undefined) {
      if (session === undefined) throw unauthenticated(request, sid)
      return { credential: session.credential, live: false, session }
    }
    const caller = { credential, live: true, user }
    const is = session === undefined ? 'stranger' : standing(session, credential, user)
    if (is !== 'stranger') return { ...caller, session: session!, ...(is === 'guest' && { isGuest: true }) }
    // Only the body shows whether the request asks for a new session.
    const lost = lossOf(sid, session)
    return lost === undefined ? caller : { ...caller, lost }
  }
}

function sentCredential(request: FastifyRequest): Credential | undefined {
  const reading = readCredential(request.raw.rawHeaders)
  if (reading.found === 'bad') throw badCredential(reading.why)
  return reading.found === 'one' ? reading.credential : undefined
}
