import fp from 'fastify-plugin'
import { FailedCredentials } from '../src/edge/failed-credentials.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Of callers who bring tokens that nobody has checked; undefined in other modes. OAuth mode checks each. */
    readonly failedCredentials: FailedCredentials | undefined
  }
}

/** Decorates the count of credentials that forges did not accept, by the address that brought them. */
export default fp(
  async fastify => {
    const { FORGE_MCP_OAUTH, REMOTE_AUTHORIZATION, STREAMABLE_HTTP } = fastify.config
    const counts = STREAMABLE_HTTP && REMOTE_AUTHORIZATION && !FORGE_MCP_OAUTH
    fastify.decorate('failedCredentials', counts ? new FailedCredentials() : undefined)
  },
  { fastify: '5.x', name: 'failed-credentials', dependencies: ['env'] }
)
