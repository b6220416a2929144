import { monitorEventLoopDelay } from 'node:perf_hooks'
import fp from 'fastify-plugin'
import { heapLimit, heapUsed } from '../../src/load/heap.ts'
import { LoopDelay, RESOLUTION_MS } from '../../src/load/loop-delay.ts'
import { LOOK_MS } from '../../src/load/standstill.ts'

/**
 * The share of Node's heap limit above which new work is refused, because otherwise the process could run out of
 * memory.
 */
const HEAP_SHARE = 0.95

/**
 * Checks once a second whether the event loop or the heap is overloaded, and whether the process stood still.
 * load-shedding and readiness act on the overload.
 */
export default fp(
  async fastify => {
    const { overload, standstill } = fastify.lifecycle
    const maxDelay = fastify.config.MAX_EVENT_LOOP_DELAY_MS || Number.POSITIVE_INFINITY
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    let sampler: NodeJS.Timeout | undefined
    // The start blocks the event loop. If it were measured, the first callers would be refused.
    fastify.addHook('onReady', async () => {
      const delay = new LoopDelay(histogram, () => performance.now())
      standstill.look()
      sampler = setInterval(() => {
        standstill.look()
        overload.sample(delay.read() > maxDelay || heapUsed() > heapLimit() * HEAP_SHARE, performance.now())
      }, LOOK_MS).unref()
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
