import fp from 'fastify-plugin'
import { FailedCredentials } from '../../src/edge/callers/failed-credentials.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set if callers send tokens that nobody has checked; undefined in other modes. OAuth mode checks each token. */
    readonly failedCredentials: FailedCredentials | undefined
  }
}

/** Decorates the count of credentials that forges did not accept, by the address that sent them. */
export default fp(
  async fastify => {
    const { FORGE_MCP_OAUTH, REMOTE_AUTHORIZATION, STREAMABLE_HTTP } = fastify.config
    const counts = STREAMABLE_HTTP && REMOTE_AUTHORIZATION && !FORGE_MCP_OAUTH
    fastify.decorate('failedCredentials', counts ? new FailedCredentials() : undefined)
  },
  { fastify: '5.x', name: 'sessions/failed-credentials', dependencies: ['operations/env'] }
)
