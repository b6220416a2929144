import fp from 'fastify-plugin'
import { pooledRandom } from '../src/seal/random.ts'
import { MemorySessionStore } from '../src/session/memory-store.ts'
import { SealedSessionStore } from '../src/session/sealed-store.ts'
import type { SessionStore } from '../src/session/store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly sessions: SessionStore
  }
}

/** Decorates the session store: sealed ids where there is a sealer, else this process's memory. */
export default fp(
  async fastify => {
    const { MAX_SESSIONS, OAUTH_STATELESS_SESSION_TTL_SECONDS, SESSION_TIMEOUT_SECONDS } = fastify.config
    const store: SessionStore =
      fastify.sealer === undefined
        ? new MemorySessionStore(MAX_SESSIONS, SESSION_TIMEOUT_SECONDS)
        : new SealedSessionStore(fastify.sealer, {
            ttlSeconds: OAUTH_STATELESS_SESSION_TTL_SECONDS ?? SESSION_TIMEOUT_SECONDS,
            // All calls go to FORGE_API_URL: a sid with another forge is of another configuration.
            acceptsUrl: () => false,
            now: Date.now,
            random: pooledRandom()
          })
    fastify.decorate('sessions', store)
  },
  { fastify: '5.x', name: 'sessions', dependencies: ['env', 'sealer'] }
)
