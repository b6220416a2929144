import cors from '@fastify/cors'
import fp from 'fastify-plugin'

/**
 * Lets pages call /mcp whose origin host-guard accepts, and no others: a preflight and its request get the same answer.
 * It runs after host-guard, so that foreign origins are already refused.
 */
export default fp(
  async fastify => {
    fastify.addHook('onRoute', route => {
      // The plugin's route for every path without OPTIONS. Other requests there would have their body read before they
      // are answered.
      if (route.url === '*') route.onRequest = (_request, reply) => reply.callNotFound()
    })
    await fastify.register(cors, {
      // A request without an origin is not from a page; the guard has checked the others.
      origin: (origin, done) => done(null, origin !== undefined),
      methods: ['POST', 'DELETE'],
      exposedHeaders: [
        'Mcp-Session-Id',
        'WWW-Authenticate',
        'Retry-After',
        'RateLimit-Limit',
        'RateLimit-Remaining',
        'RateLimit-Reset',
        'X-Request-Id'
      ],
      // Without an origin, OPTIONS is not a preflight, and is answered with what /mcp serves.
      strictPreflight: false
    })
  },
  { fastify: '5.x', name: 'mcp/cors', dependencies: ['edge/host-guard'] }
)
