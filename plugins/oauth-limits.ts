import rateLimit from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { tooManyCalls } from '../src/oauth/error.ts'
import { counted } from '../src/oauth/fetch-metadata.ts'
import { loginLimits } from '../src/oauth/limits.ts'

/**
 * Limits calls per client address for the routes of its scope that have `config.rateLimit`, each by itself, and those
 * of pages apart. The counts are this replica's. Behind a proxy MCP_TRUST_PROXY has to name it, or all callers are one.
 */
export default fp(
  async fastify => {
    // The counter of a route takes over what the plugin is given, but for this.
    fastify.addHook('onRoute', ({ config }) => {
      if (config?.rateLimit) config.rateLimit = { ...config.rateLimit, cache: loginLimits.holders }
    })
    await fastify.register(rateLimit, {
      global: false,
      max: loginLimits.calls,
      timeWindow: loginLimits.windowMs,
      keyGenerator: counted,
      errorResponseBuilder: (_request, { after }) =>
        tooManyCalls(`Rate limit exceeded: try again in ${after}.`)
    })
  },
  { fastify: '5.x', name: 'oauth-limits', dependencies: ['oauth-errors'] }
)
