import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import fp from 'fastify-plugin'
import { overloaded } from '../src/protocol/refusal.ts'

/** Share of Node's heap limit above which new work is refused rather than the process lost. */
const HEAP_SHARE = 0.95

const SAMPLE_MS = 1000

/**
 * Refuses the requests of its scope with 503 while the event loop or the heap is overloaded, so that those
 * let in are still answered. Health and metrics are outside the scope and go on answering.
 */
export default fp(
  async fastify => {
    await fastify.register(underPressure, {
      maxEventLoopDelay: fastify.config.MAX_EVENT_LOOP_DELAY_MS,
      maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE),
      sampleInterval: SAMPLE_MS,
      pressureHandler: () => {
        throw overloaded()
      }
    })
    const sampler = setInterval(
      () => fastify.lifecycle.overload.sample(fastify.isUnderPressure(), performance.now()),
      SAMPLE_MS
    )
    sampler.unref()
    fastify.addHook('onClose', () => clearInterval(sampler))
  },
  { fastify: '5.x', name: 'load-shedding', dependencies: ['env', 'lifecycle', 'json-rpc-errors'] }
)
