import fp from 'fastify-plugin'
import { AtWork, allWorkLimits } from '../../src/fairness/at-work.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The memory of all that is worked for, of which each kind of work has a part. */
    readonly atWork: AtWork
  }
}

/** Decorates the bound of all work together. */
export default fp(async fastify => void fastify.decorate('atWork', new AtWork(allWorkLimits)), {
  fastify: '5.x',
  name: 'edge/at-work'
})
