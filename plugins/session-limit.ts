import rateLimit from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { requestsIn } from '../src/protocol/batch.ts'
import { rateLimited } from '../src/protocol/refusal.ts'

/**
 * MAX_REQUESTS_PER_MINUTE: limits the requests of each session. A request without a session id counts for its
 * credential, whose calls share one session. A POST counts before its body is read; the further requests of a batch
 * count when it is, and one that does not fit as a whole is refused as a whole, with nothing of it done. In stateless
 * mode nothing is counted.
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
    const count = fastify.createRateLimit()

    /** Counts requests beyond the one that a POST has counted as. @throws Refusal 429 */
    const countFurther = async (further: number, request: FastifyRequest, reply: FastifyReply) => {
      // A batch that has no room takes none from a smaller one. Nobody is on an allow list, which the type knows of.
      const before = await count(request, { increment: false })
      if (before.isAllowed) return
      const fits = further <= before.remaining
      const counted = fits ? await Promise.all(Array.from({ length: further }, () => count(request))) : []
      const after = counted.at(-1) ?? before
      if (after.isAllowed) return
      reply.header('ratelimit-remaining', after.remaining)
      // Another batch may have come between.
      if (fits && !after.isExceeded) return
      reply.header('retry-after', after.ttlInSeconds)
      throw rateLimited(max, after.ttlInSeconds)
    }

    fastify.addHook('preHandler', (request, reply, done) => {
      const further = Array.isArray(request.body) ? requestsIn(request.body) - 1 : 0
      if (further <= 0) return done()
      countFurther(further, request, reply).then(() => done(), done)
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
