import rateLimit from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { rateLimited } from '../src/protocol/refusal.ts'

/**
 * MAX_REQUESTS_PER_MINUTE: limits the requests of each session. A request without a session id counts for its
 * credential, whose calls share one session. In stateless mode nothing is counted.
 */
export default fp(
  async fastify => {
    const { MAX_REQUESTS_PER_MINUTE: max, MAX_SESSIONS } = fastify.config
    if (fastify.sessions.stateless || max === 0) return
    await fastify.register(rateLimit, {
      max,
      timeWindow: 60_000,
      // Room for every session and for as many callers without one; the longest unused are forgotten.
      cache: Math.max(1000, 2 * MAX_SESSIONS),
      enableDraftSpec: true,
      keyGenerator: countedFor,
      errorResponseBuilder: (_request, { ttl }) => rateLimited(max, Math.ceil(ttl / 1000))
    })
  },
  {
    fastify: '5.x',
    name: 'session-limit',
    dependencies: ['env', 'sessions', 'bearer-guard'],
    decorators: { request: ['caller'] }
  }
)

function countedFor({ caller }: FastifyRequest): string {
  const { session, credential } = caller
  return session === undefined ? `${credential.kind} ${credential.token}` : session.key
}
