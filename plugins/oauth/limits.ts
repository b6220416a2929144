import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { AddressBudget } from '../../src/fairness/address-budget.ts'
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
 * calls from pages separately. Addresses of one network have a limit together, too. Each replica counts for itself. Behind
 * a proxy, MCP_TRUST_PROXY must name it, as otherwise all callers share one limit.
 */
export default fp(
  async fastify => {
    await fastify.register(rateLimit, {
      global: false,
      max: loginLimits.calls,
      timeWindow: loginLimits.windowMs,
      keyGenerator: counted,
      store: Calls,
      errorResponseBuilder: ({ routeOptions }, { after }) =>
        tooManyCalls(
          `Rate limit exceeded for this address: try again in ${after}.`,
          undefined,
          routeOptions.config.limitedBy
        )
    })
  },
  { fastify: '5.x', name: 'oauth/limits', dependencies: ['oauth/errors'] }
)

/**
 * The calls of one route. By itself the plugin keeps counts in a cache out of which the many addresses of one network push
 * those of all others.
 */
class Calls implements FastifyRateLimitStore {
  #budget: AddressBudget | undefined

  child(): Calls {
    return new Calls()
  }

  incr(...[holder, callback, windowMs, max]: Parameters<FastifyRateLimitStore['incr']>): void {
    this.#budget ??= new AddressBudget(max, windowMs, loginLimits.holders)
    const short = this.#budget.take(holder)
    const { remaining, resetSeconds } = short ?? this.#budget.left(holder)
    callback(null, { current: max - remaining + (short === undefined ? 0 : 1), ttl: resetSeconds * 1000 })
  }
}
