import fp from 'fastify-plugin'
import { CallerNames } from '../src/calls/caller-names.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The names of callers at the forge; undefined where nobody wants them (FORGE_AUDIT_USERS). */
    readonly callerNames: CallerNames | undefined
  }
}

/** Decorates the names of callers, and logs each once it is known. */
export default fp(
  async fastify => {
    const onNamed = (principal: string, user: string) => fastify.log.info({ principal, user }, 'caller named')
    fastify.decorate('callerNames', fastify.config.FORGE_AUDIT_USERS ? new CallerNames(onNamed) : undefined)
  },
  { fastify: '5.x', name: 'caller-names', dependencies: ['env'] }
)
