import fp from 'fastify-plugin'
import { MemorySessionStore } from '../src/session/memory-store.ts'
import type { SessionStore } from '../src/session/store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly sessions: SessionStore
  }
}

/** Decorates the session store. */
export default fp(
  async fastify => {
    const { MAX_SESSIONS, SESSION_TIMEOUT_SECONDS } = fastify.config
    fastify.decorate('sessions', new MemorySessionStore(MAX_SESSIONS, SESSION_TIMEOUT_SECONDS))
  },
  { fastify: '5.x', name: 'sessions', dependencies: ['env'] }
)
