import helmet from '@fastify/helmet'
import fp from 'fastify-plugin'

/** Headers for what is read by browsers, probes and scrapers: nothing of it is a page that runs or is framed. */
export default fp(
  async fastify => {
    await fastify.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }
      },
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'no-referrer' },
      // Documents of the login are read by clients that run in a page of any origin.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // Whether this host always has TLS must be declared by whoever terminates TLS in front of it.
      strictTransportSecurity: false
    })
  },
  { fastify: '5.x', name: 'edge/page-headers' }
)
