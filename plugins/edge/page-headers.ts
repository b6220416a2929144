import helmet from '@fastify/helmet'
import fp from 'fastify-plugin'
import { browserHeaders } from '../../src/edge/answers/browser-headers.ts'

/** Headers for what is read by browsers, probes and scrapers: nothing of it is a page that runs or is framed. */
export default fp(
  async fastify => {
    await fastify.register(helmet, {
      ...browserHeaders,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }
      },
      // Documents of the login are read by clients that run in a page of any origin.
      crossOriginResourcePolicy: { policy: 'cross-origin' }
    })
  },
  { fastify: '5.x', name: 'edge/page-headers' }
)
