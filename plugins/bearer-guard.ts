import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { badCredential, missingCredential, sessionNotFound } from '../src/protocol/refusal.ts'
import { isModernVersion } from '../src/protocol/versions.ts'
import { type Credential, readCredential } from '../src/session/credential.ts'
import type { Session } from '../src/session/store.ts'

/** Who calls, and the live session the call belongs to. */
export interface Caller {
  readonly credential: Credential
  readonly session?: Session
  readonly sid?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every request in the guarded scope. */
    caller: Caller
  }
}

/**
 * Lets a request through to the routes of its scope only with a credential or a live session (DESIGN 4,
 * Status discipline). It looks at headers only, so it can refuse before a body is read.
 */
export default fp(
  async fastify => {
    const { REMOTE_AUTHORIZATION, FORGE_PERSONAL_ACCESS_TOKEN } = fastify.config
    const fixed: Credential | undefined = REMOTE_AUTHORIZATION
      ? undefined
      : { kind: 'private-token', token: FORGE_PERSONAL_ACCESS_TOKEN }

    const identify = (request: FastifyRequest): Caller => {
      const credential = fixed ?? sentCredential(request)
      const { 'mcp-session-id': sid, 'mcp-protocol-version': version } = request.headers
      // Requests of the session-less revisions neither use nor get a session id.
      if (typeof sid !== 'string' || isModernVersion(version)) {
        if (credential === undefined) throw missingCredential()
        return { credential }
      }
      const session = fastify.sessions.open(sid)
      if (session !== undefined) return { credential: credential ?? session.credential, session, sid }
      throw credential === undefined ? missingCredential() : sessionNotFound()
    }

    fastify.decorateRequest('caller')
    fastify.addHook('onRequest', async request => {
      request.caller = identify(request)
    })
  },
  { fastify: '5.x', name: 'bearer-guard', dependencies: ['env', 'sessions'] }
)

function sentCredential(request: FastifyRequest): Credential | undefined {
  const reading = readCredential(request.raw.rawHeaders)
  if (reading.found === 'bad') throw badCredential(reading.why)
  return reading.found === 'one' ? reading.credential : undefined
}
