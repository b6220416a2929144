import fp from 'fastify-plugin'
import { TriedTokens } from '../../src/edge/callers/tried-tokens.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set if callers send tokens that nobody has checked; undefined in other modes. OAuth mode checks each token. */
    readonly triedTokens: TriedTokens | undefined
  }
}

/** Decorates the tokens that are tried at forges, and so the limit on those of an address that no forge accepts. */
export default fp(
  async fastify => {
    const { FORGE_MCP_OAUTH, REMOTE_AUTHORIZATION, STREAMABLE_HTTP } = fastify.config
    const counts = STREAMABLE_HTTP && REMOTE_AUTHORIZATION && !FORGE_MCP_OAUTH
    fastify.decorate('triedTokens', counts ? new TriedTokens() : undefined)
  },
  { fastify: '5.x', name: 'sessions/tried-tokens', dependencies: ['operations/env'] }
)
