import fp from 'fastify-plugin'
import { AtWork, allWorkLimits } from '../../src/fairness/at-work.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The memory of all work in progress. Each kind of work has its own bound within it. */
    readonly atWork: AtWork
  }
}

/** Decorates the bound on all work in progress. */
export default fp(async fastify => void fastify.decorate('atWork', new AtWork(allWorkLimits)), {
  fastify: '5.x',
  name: 'edge/at-work'
})
