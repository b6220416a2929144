import fp from 'fastify-plugin'
import { overloaded } from '../../src/protocol/messages/limit-refusals.ts'

/**
 * Refuses the requests of its scope with 503 while the event loop or the heap is overloaded, so that accepted requests
 * are still answered. It is registered for calls and for the steps of a login, which clients can repeat. Discovery,
 * health and metrics are outside of its scopes, and are always answered.
 */
export default fp(
  async fastify => {
    const { overload } = fastify.lifecycle
    fastify.addHook('onRequest', (_request, _reply, done) => done(overload.isNow ? overloaded() : undefined))
  },
  {
    fastify: '5.x',
    name: 'edge/load-shedding',
    dependencies: ['operations/lifecycle', 'operations/pressure']
  }
)
