import { monitorEventLoopDelay } from 'node:perf_hooks'
import fp from 'fastify-plugin'
import { heapLimit, heapUsed } from '../../src/load/heap.ts'
import { LoopDelay, RESOLUTION_MS } from '../../src/load/loop-delay.ts'

/** Share of Node's heap limit above which new work is refused rather than the process lost. */
const HEAP_SHARE = 0.95

const SAMPLE_MS = 1000

/** How late a sample is, in milliseconds, when the process did not run: work that it does itself takes no such time. */
const STILL_MS = 5_000

/** Tells once a second whether the event loop or the heap is overloaded; load-shedding and readiness act on it. */
export default fp(
  async fastify => {
    const { overload } = fastify.lifecycle
    const maxDelay = fastify.config.MAX_EVENT_LOOP_DELAY_MS || Number.POSITIVE_INFINITY
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    let sampler: NodeJS.Timeout | undefined
    // The start blocks the event loop: if it were measured, the first callers would be refused.
    fastify.addHook('onReady', async () => {
      const delay = new LoopDelay(histogram, () => performance.now())
      let sampled = performance.now()
      sampler = setInterval(() => {
        const now = performance.now()
        const still = now - sampled - SAMPLE_MS
        sampled = now
        if (still > STILL_MS)
          fastify.log.warn({ seconds: Math.round(still / 1000) }, 'this process stood still')
        overload.sample(delay.read() > maxDelay || heapUsed() > heapLimit() * HEAP_SHARE, now)
      }, SAMPLE_MS).unref()
      histogram.enable()
    })
    fastify.metrics.watch('heap_used_bytes', 'Heap in use, uncollected garbage included.', heapUsed)
    fastify.metrics.watch('heap_limit_bytes', 'Heap limit; exceeding it ends the process.', heapLimit)
    fastify.addHook('onClose', () => {
      clearInterval(sampler)
      histogram.disable()
    })
  },
  {
    fastify: '5.x',
    name: 'operations/pressure',
    dependencies: ['operations/env', 'operations/lifecycle', 'operations/metrics']
  }
)
