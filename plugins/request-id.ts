import fp from 'fastify-plugin'

/**
 * Names every request to its caller: the x-request-id it sent, or the one made for it. The same id stands in
 * the log and in internal errors (server.ts reads and makes them).
 */
export default fp(
  async fastify => {
    fastify.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id)
      done()
    })
  },
  { fastify: '5.x', name: 'request-id' }
)
