import fp from 'fastify-plugin'
import { every } from '../../src/base/every.ts'
import { asWritten } from '../../src/base/holders.ts'
import { pooledRandom } from '../../src/seal/random.ts'
import { MemorySessionStore } from '../../src/session/memory-store.ts'
import { SealedSessionStore } from '../../src/session/sealed-store.ts'
import type { SessionStore, SessionWatch } from '../../src/session/store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly sessions: SessionStore
  }
}

const SWEEP_MS = 30_000

/** Decorates the session store: sealed ids if there is a sealer, otherwise the memory of this process. */
export default fp(
  async fastify => {
    const { config } = fastify
    const { MAX_SESSIONS, SESSION_TIMEOUT_SECONDS } = config
    const { metrics, log } = fastify
    const displaced = fastify.sampledLog('info', { kind: 'session', more: 'more sessions displaced' })
    const watch: SessionWatch = {
      begun(address, principal) {
        metrics.sessionsCreated.count()
        log.debug({ principal, address }, 'session created')
      },
      expired(address, principal) {
        metrics.sessionsExpired.count()
        log.debug({ principal, address }, 'session expired')
      },
      displaced(address, principal) {
        metrics.sessionsDisplaced.count()
        displaced.add('displaced', 'session displaced', () => ({
          principal,
          address: address && asWritten(address)
        }))
      }
    }
    const random = pooledRandom()
    const store: SessionStore =
      fastify.sealer === undefined
        ? new MemorySessionStore(MAX_SESSIONS, SESSION_TIMEOUT_SECONDS, undefined, watch, random)
        : new SealedSessionStore(fastify.sealer, {
            ttlSeconds: config.OAUTH_STATELESS_SESSION_TTL_SECONDS ?? SESSION_TIMEOUT_SECONDS,
            reuseSeconds: config.OAUTH_STATELESS_SID_REUSE_SECONDS,
            acceptsUrl: url => fastify.apiUrls.accepts(url),
            now: Date.now,
            random,
            watch
          })
    fastify.decorate('sessions', store)
    metrics.watch('sessions_active', 'Sessions alive; 0 in stateless mode.', () => store.size)
    if (store.stateless) return
    metrics.watch('sessions_max', 'MAX_SESSIONS.', () => MAX_SESSIONS)
    // Otherwise the tokens of a service that nobody uses would stay in memory.
    every(SWEEP_MS, fastify, () => store.sweep())
  },
  {
    fastify: '5.x',
    name: 'sessions/store',
    dependencies: [
      'operations/env',
      'forges/network',
      'sessions/sealer',
      'operations/metrics',
      'operations/sampled-log'
    ]
  }
)
