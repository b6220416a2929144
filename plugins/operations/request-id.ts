import fp from 'fastify-plugin'

/**
 * Returns the request id to the caller: the x-request-id that it sent, or a new one. The log and internal errors
 * contain the same id (src/server.ts reads and creates it).
 */
export default fp(
  async fastify => {
    fastify.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id)
      done()
    })
  },
  { fastify: '5.x', name: 'operations/request-id' }
)
