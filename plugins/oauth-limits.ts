import rateLimit from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { OAuthError } from '../src/oauth/error.ts'
import { counted } from '../src/oauth/fetch-metadata.ts'

/** Calls of one address in a window, where a route names no limit of its own. One address may be a whole office. */
const CALLS = { max: 300, timeWindow: 15 * 60_000 }

/** Client addresses whose calls are counted at once, per route; the pages at one are another. */
const MAX_ADDRESSES = 10_000

/**
 * Limits calls per client address for the routes of its scope that have `config.rateLimit`, each by itself, and those
 * of pages apart. The counts are this replica's. Behind a proxy MCP_TRUST_PROXY has to name it, or all callers are one.
 */
export default fp(
  async fastify => {
    // The counter of a route takes over what the plugin is given, but for this.
    fastify.addHook('onRoute', ({ config }) => {
      if (config?.rateLimit) config.rateLimit = { ...config.rateLimit, cache: MAX_ADDRESSES }
    })
    await fastify.register(rateLimit, {
      global: false,
      ...CALLS,
      keyGenerator: counted,
      errorResponseBuilder: (_request, { after }) =>
        new OAuthError(429, 'temporarily_unavailable', `Rate limit exceeded: try again in ${after}.`)
    })
  },
  { fastify: '5.x', name: 'oauth-limits', dependencies: ['oauth-errors'] }
)
