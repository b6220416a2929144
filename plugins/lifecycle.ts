import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { OverloadWatch } from '../src/overload.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly lifecycle: {
      readonly draining: boolean
      /** Fed by pressure, asked by load-shedding and readiness. */
      readonly overload: OverloadWatch
      /**
       * Leaves service without losing a request: readiness turns, requests go on being answered
       * with Connection: close for DRAIN_SECONDS, then the listener closes and what runs is finished.
       */
      drain(): Promise<void>
    }
  }
}

/** Decorates the way out of service. */
export default fp(
  async fastify => {
    const { DRAIN_SECONDS } = fastify.config
    let draining = false
    const { metrics } = fastify
    metrics.watch('draining', '1 while this replica leaves service.', () => Number(draining))
    fastify.decorate('lifecycle', {
      overload: new OverloadWatch(),
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
    // On the way out rather than in: what was under way when the signal came must not keep its connection.
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (draining) reply.header('connection', 'close')
      done(null, payload)
    })
  },
  { fastify: '5.x', name: 'lifecycle', dependencies: ['env', 'metrics'] }
)
