import fp from 'fastify-plugin'

/** Answers of /mcp are one caller's: nobody keeps them, and no browser guesses what they are. */
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Sets headers on every answer of its scope, refusals among them. By hand: helmet's hooks would run for every call. */
export default fp(
  async fastify => {
    fastify.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers)
      done()
    })
  },
  { fastify: '5.x', name: 'mcp-headers' }
)
