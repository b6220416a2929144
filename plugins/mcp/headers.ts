import fp from 'fastify-plugin'
import { noStore } from '../../src/edge/answers/no-store.ts'

/**
 * Sets headers on every answer of its scope, including refusals. It does not use helmet, whose hooks would run for
 * every call.
 */
export default fp(
  async fastify => {
    fastify.addHook('onRequest', (_request, reply, done) => {
      reply.headers(noStore)
      done()
    })
  },
  { fastify: '5.x', name: 'mcp/headers' }
)
