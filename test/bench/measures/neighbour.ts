import { load, percentile } from '../load.ts'
import { clientsOf } from './callers.ts'
import type { Measure } from './index.ts'
import { serve } from './served.ts'

/** Milliseconds from one call of a neighbour to its next, as people call: whether the last one was held up or not. */
const EVERY = 100

/** What one caller's heavy calls, the second message, do to others', the first: the slowest of a hundred. */
export const neighbour: Measure = async (bench, { name, sends = [], inFlight: connections = 1 }, program) => {
  const served = await serve(bench, program, { folder: name, ownCore: true })
  const { url, row } = served
  const others = await clientsOf(url, row, sends.slice(0, 1), { name: 'light', connections })
  const heavy = await clientsOf(url, row, sends.slice(1), { name: 'heavy', connections: 1 })
  const both = async (seconds: number) => {
    const [beside, those] = await Promise.all([
      load({ url, clients: others, seconds, every: EVERY }),
      load({ url, clients: heavy, seconds })
    ])
    const [failure] = [...beside.failures, ...those.failures]
    if (failure !== undefined) throw new Error(`${program}: ${failure}`)
    return { p99: percentile(beside.latencies, 0.99) }
  }
  await both(bench.run.warmUpSeconds)
  return { once: () => both(bench.run.seconds), close: () => served.stop() }
}
