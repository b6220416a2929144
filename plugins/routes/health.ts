import fp from 'fastify-plugin'
import { retrySeconds } from '../../src/base/retry-seconds.ts'
import { noStore } from '../../src/edge/answers/no-store.ts'

/** GET /livez: whether the event loop runs. GET /readyz: whether this replica wants traffic. Neither asks a forge. */
export default fp(
  async fastify => {
    fastify.get('/livez', async (_request, reply) => {
      reply.headers(noStore)
      return { status: 'ok' }
    })
    fastify.get('/readyz', async (_request, reply) => {
      reply.headers(noStore)
      const { draining, overload } = fastify.lifecycle
      if (!draining && !overload.isLong(performance.now())) return { status: 'ok' }
      return reply
        .code(503)
        .header('retry-after', String(retrySeconds.answer))
        .send({ status: draining ? 'draining' : 'overloaded' })
    })
  },
  { fastify: '5.x', name: 'routes/health', dependencies: ['operations/lifecycle'] }
)
