import rateLimit from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { holderOf } from '../src/edge/address.ts'
import { OAuthError } from '../src/oauth/error.ts'

/** Client addresses whose calls are counted at once, per route. */
const MAX_ADDRESSES = 10_000

/**
 * Limits calls per client address for the routes of its scope that name a limit in `config.rateLimit`. The
 * counts are this replica's. Behind a proxy MCP_TRUST_PROXY has to name it, or all callers are one.
 */
export default fp(
  async fastify => {
    await fastify.register(rateLimit, {
      global: false,
      cache: MAX_ADDRESSES,
      keyGenerator: ({ ip }) => holderOf(ip),
      errorResponseBuilder: (_request, { after }) =>
        new OAuthError(429, 'temporarily_unavailable', `Rate limit exceeded: try again in ${after}.`)
    })
  },
  { fastify: '5.x', name: 'oauth-limits', dependencies: ['oauth-errors'] }
)
