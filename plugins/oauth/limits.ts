import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { AddressBudget } from '../../src/fairness/address-budget.ts'
import { counted } from '../../src/oauth/endpoints/fetch-metadata.ts'
import { tooManyCalls } from '../../src/oauth/rules/error.ts'
import { loginLimits } from '../../src/oauth/rules/limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The variable that sets the limit of this route. The log names it when the limit is exceeded. */
    limitedBy?: string
  }
}

/**
 * Limits calls per client address for the routes of its scope that have `config.rateLimit`. Each route is counted
 * separately, and so are calls from pages. All addresses of one network also have a limit together. Each replica counts
 * for itself. A proxy in front must be named in MCP_TRUST_PROXY, because otherwise all callers share one limit.
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
 * Counts the calls of one route. The store that the rate-limit plugin uses by default is a cache in which the many
 * addresses of one network displace the addresses of all others.
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
