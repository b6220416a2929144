import { percentile, load as send } from '../load.ts'
import { clientsOf } from './callers.ts'
import type { Measure } from './index.ts'
import { serve } from './served.ts'

/** Sends as fast as answers come back: calls a second, the slowest of a hundred, CPU of a call. */
export const load: Measure = async (bench, scenario, program) => {
  const { name, sends = [], inFlight: connections = 1, callers, forgeDelay = 0, longer = 1 } = scenario
  const served = await serve(bench, program, { delay: forgeDelay, folder: name, ownCore: bench.run.ownCore })
  const { url } = served
  const clients = await clientsOf(url, served.row, sends, { name: 'bench', connections, callers })
  // Until the code is compiled: what a server does in its first seconds is no measure of it.
  await send({ url, clients, seconds: bench.run.warmUpSeconds })
  return {
    async once() {
      const before = served.cpuSeconds()
      const { rate, failures, latencies } = await send({ url, clients, seconds: bench.run.seconds * longer })
      const used = served.cpuSeconds()
      const all = failures.length + latencies.length
      if (failures.length > 0)
        console.error(`${program}: ${failures.length} of ${all} failed: ${failures[0]}`)
      return {
        failed: failures.length / all,
        rate,
        p99: percentile(latencies, 0.99),
        ...(before !== undefined &&
          used !== undefined && { cpu: ((used - before) * 1000) / latencies.length })
      }
    },
    close: () => served.stop()
  }
}
