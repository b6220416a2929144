import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Family } from './series.ts'

/** Node's own state, as prom-client knows it: CPU, memory, event loop, garbage collection. */
export class ProcessMetrics {
  readonly #registry = new Registry()

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    const { user, system } = process.cpuUsage()
    this.#add('process_cpu_user_seconds_total', user)
    this.#add('process_cpu_system_seconds_total', system)
    this.#add('process_cpu_seconds_total', user + system)
  }

  /** Counts what was before: the library counts from now on. */
  #add(name: string, microseconds: number): void {
    const counter = this.#registry.getSingleMetric(name)
    if (counter instanceof Counter) counter.inc(microseconds / 1e6)
  }

  async read(): Promise<Family[]> {
    await this.#presumeAllOpen()
    const metrics = await this.#registry.getMetricsAsJSON()
    return metrics.map(metric => {
      const { name, help, values } = metric
      return { name, help, type: String(metric.type) as Family['type'], samples: values as Family['samples'] }
    })
  }

  /** To count its open files a process needs one more: where there is none, the last count would stay. */
  async #presumeAllOpen(): Promise<void> {
    const open = this.#registry.getSingleMetric('process_open_fds')
    const most = await this.#registry.getSingleMetric('process_max_fds')?.get()
    if (open instanceof Gauge && most !== undefined) open.set(most.values[0]!.value)
  }

  /** Stops what watches the event loop and the garbage collector. */
  close(): void {
    this.#registry.clear()
  }
}
