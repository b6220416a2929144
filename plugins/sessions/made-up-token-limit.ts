import fp from 'fastify-plugin'
import { MadeUpTokens } from '../../src/edge/callers/made-up-tokens.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set if callers send tokens that nobody has checked; undefined in other modes. OAuth mode checks each token. */
    readonly madeUpTokens: MadeUpTokens | undefined
  }
}

/** Decorates the limit on tokens that an address may try at forges which do not accept them. */
export default fp(
  async fastify => {
    const { FORGE_MCP_OAUTH, REMOTE_AUTHORIZATION, STREAMABLE_HTTP } = fastify.config
    const counts = STREAMABLE_HTTP && REMOTE_AUTHORIZATION && !FORGE_MCP_OAUTH
    fastify.decorate('madeUpTokens', counts ? new MadeUpTokens() : undefined)
  },
  { fastify: '5.x', name: 'sessions/made-up-token-limit', dependencies: ['operations/env'] }
)
