import rateLimit from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { counted } from '../../src/oauth/endpoints/fetch-metadata.ts'
import { tooManyCalls } from '../../src/oauth/rules/error.ts'
import { loginLimits } from '../../src/oauth/rules/limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The variable that sets the limit of this route, which the log names when it is exceeded. */
    limitedBy?: string
  }
}

/**
 * Limits calls per client address for the routes of its scope that have `config.rateLimit`, each route separately, and
 * calls from pages separately. Each replica counts for itself. Behind a proxy, MCP_TRUST_PROXY must name it, as
 * otherwise all callers share one limit.
 */
export default fp(
  async fastify => {
    // Each route's counter inherits the options of the plugin, except this one.
    fastify.addHook('onRoute', ({ config }) => {
      if (config?.rateLimit) config.rateLimit = { ...config.rateLimit, cache: loginLimits.holders }
    })
    await fastify.register(rateLimit, {
      global: false,
      max: loginLimits.calls,
      timeWindow: loginLimits.windowMs,
      keyGenerator: counted,
      errorResponseBuilder: ({ routeOptions }, { after }) =>
        tooManyCalls(`Rate limit exceeded: try again in ${after}.`, undefined, routeOptions.config.limitedBy)
    })
  },
  { fastify: '5.x', name: 'oauth/limits', dependencies: ['oauth/errors'] }
)
