import cors from '@fastify/cors'
import fp from 'fastify-plugin'

/**
 * Lets pages call /mcp whose origin host-guard lets through, and no others: a preflight and the request after it
 * get one answer. Behind it, so that a foreign origin is refused before this asks who it is.
 */
export default fp(
  async fastify => {
    fastify.addHook('onRoute', route => {
      // Of every path that has no OPTIONS. What is left of it after the preflights would be read before it is answered.
      if (route.url === '*') route.onRequest = (_request, reply) => reply.callNotFound()
    })
    await fastify.register(cors, {
      // What has no origin is no page; the guard has answered for the others.
      origin: (origin, done) => done(null, origin !== undefined),
      methods: ['POST', 'DELETE'],
      exposedHeaders: ['Mcp-Session-Id', 'WWW-Authenticate', 'Retry-After', 'X-Request-Id'],
      // Without an origin it is no preflight, and is told what /mcp serves.
      strictPreflight: false
    })
  },
  { fastify: '5.x', name: 'mcp-cors', dependencies: ['host-guard'] }
)
