import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import fp from 'fastify-plugin'
import { LoopDelay, RESOLUTION_MS } from '../src/loop-delay.ts'

/** Share of Node's heap limit above which new work is refused rather than the process lost. */
const HEAP_SHARE = 0.95

const SAMPLE_MS = 1000

/** Tells once a second whether the event loop or the heap is overloaded; load-shedding and readiness act on it. */
export default fp(
  async fastify => {
    const { overload } = fastify.lifecycle
    const maxDelay = fastify.config.MAX_EVENT_LOOP_DELAY_MS || Number.POSITIVE_INFINITY
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    const delay = new LoopDelay(histogram, () => performance.now())
    const sampler = setInterval(() => {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
      overload.sample(delay.read() > maxDelay || used > limit * HEAP_SHARE, performance.now())
    }, SAMPLE_MS)
    sampler.unref()
    histogram.enable()
    fastify.metrics.watch(
      'heap_limit_bytes',
      'Most that Node’s heap may take.',
      () => getHeapStatistics().heap_size_limit
    )
    fastify.addHook('onClose', () => {
      clearInterval(sampler)
      histogram.disable()
    })
  },
  { fastify: '5.x', name: 'pressure', dependencies: ['env', 'lifecycle', 'metrics'] }
)
