import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { OverloadWatch } from '../../src/load/overload.ts'
import { Standstill } from '../../src/load/standstill.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly lifecycle: {
      readonly draining: boolean
      /** The plugin operations/pressure updates it, and load-shedding and readiness read it. */
      readonly overload: OverloadWatch
      /** The plugin operations/pressure calls its `look`. */
      readonly standstill: Standstill
      /**
       * Shuts down without losing a request: readiness turns negative, requests are answered with Connection: close for
       * DRAIN_SECONDS, then the listener closes and running requests are finished.
       */
      drain(): Promise<void>
    }
  }
}

/** Decorates the graceful shutdown. */
export default fp(
  async fastify => {
    const { DRAIN_SECONDS } = fastify.config
    let draining = false
    const { metrics } = fastify
    metrics.watch('draining', '1 while this replica leaves service.', () => Number(draining))
    fastify.decorate('lifecycle', {
      overload: new OverloadWatch(),
      standstill: new Standstill(
        () => performance.now(),
        ms => fastify.log.warn({ seconds: Math.round(ms / 1000) }, 'this process stood still')
      ),
      get draining() {
        return draining
      },
      async drain() {
        if (draining) return
        draining = true
        fastify.log.info({ seconds: DRAIN_SECONDS }, 'draining')
        await sleep(DRAIN_SECONDS * 1000)
        await fastify.close()
      }
    })
    // Set when the answer is sent, not when the request arrives: a request that was running at the signal must not keep
    // its connection.
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (draining) reply.header('connection', 'close')
      done(null, payload)
    })
  },
  { fastify: '5.x', name: 'operations/lifecycle', dependencies: ['operations/env', 'operations/metrics'] }
)
