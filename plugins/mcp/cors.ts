import cors from '@fastify/cors'
import fp from 'fastify-plugin'

/**
 * Lets pages call /mcp if host-guard accepts their origin, and no others. A preflight and its request get the same
 * answer. The plugin runs after host-guard, which has then already refused foreign origins.
 */
export default fp(
  async fastify => {
    fastify.addHook('onRoute', route => {
      // @fastify/cors adds a wildcard route for OPTIONS, for all paths that have no such route. Without this hook, the
      // other requests that it gets would have their body read before they are answered.
      if (route.url === '*') route.onRequest = (_request, reply) => reply.callNotFound()
    })
    await fastify.register(cors, {
      // A request without an origin is not from a page, and host-guard has checked all other origins.
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
      // Without an origin, OPTIONS is not a preflight, and the answer says what /mcp serves.
      strictPreflight: false
    })
  },
  { fastify: '5.x', name: 'mcp/cors', dependencies: ['edge/host-guard'] }
)
