import helmet from '@fastify/helmet'
import fp from 'fastify-plugin'
import { browserHeaders } from '../../src/edge/answers/browser-headers.ts'

/** Headers for answers to browsers, probes and scrapers: none of them is a page that runs scripts or may be framed. */
export default fp(
  async fastify => {
    await fastify.register(helmet, {
      ...browserHeaders,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }
      },
      // Clients that run in a page of any origin read the documents of the login.
      crossOriginResourcePolicy: { policy: 'cross-origin' }
    })
  },
  { fastify: '5.x', name: 'edge/page-headers' }
)
