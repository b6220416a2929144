import fp from 'fastify-plugin'
import { CallerNames } from '../../src/calls/caller-names.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The names of callers at their forges; undefined unless FORGE_AUDIT_USERS is on. */
    readonly callerNames: CallerNames | undefined
  }
}

/** Decorates the names of callers. */
export default fp(
  async fastify => {
    fastify.decorate('callerNames', fastify.config.FORGE_AUDIT_USERS ? new CallerNames() : undefined)
  },
  { fastify: '5.x', name: 'sessions/caller-names', dependencies: ['operations/env'] }
)
