import fp from 'fastify-plugin'
import { refusalSampling, SampledLines, type Sampling, type Sums } from '../../src/log/sampled-lines.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Makes a logger for events of which there may be very many.
     * @param sampling default: as for refusals
     */
    readonly sampledLog: (level: 'error' | 'warn' | 'info', sums: Sums, sampling?: Sampling) => SampledLines
  }
}

/** Decorates sampled logging, and writes the last sums when everything else is closed. */
export default fp(
  async fastify => {
    const made: SampledLines[] = []
    fastify.decorate('sampledLog', (level, sums, sampling = refusalSampling) => {
      const lines = new SampledLines((fields, message) => fastify.log[level](fields, message), sampling, sums)
      made.push(lines)
      return lines
    })
    fastify.addHook('onClose', async () => {
      for (const lines of made) lines.close()
    })
  },
  { fastify: '5.x', name: 'operations/sampled-log' }
)
