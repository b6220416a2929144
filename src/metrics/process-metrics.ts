import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Family } from './series.ts'

/** The state of Node itself, from prom-client: CPU, memory, event loop, garbage collection. */
export class ProcessMetrics {
  readonly #registry = new Registry()

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    const { user, system } = process.cpuUsage()
    this.#add('process_cpu_user_seconds_total', user)
    this.#add('process_cpu_system_seconds_total', system)
    this.#add('process_cpu_seconds_total', user + system)
  }

  /** Adds the time that was used before now: the library only counts from now on. */
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

  /**
   * Counting the open files needs one more file. If none is left, the last count would stay, so the maximum is set
   * first.
   */
  async #presumeAllOpen(): Promise<void> {
    const open = this.#registry.getSingleMetric('process_open_fds')
    const most = await this.#registry.getSingleMetric('process_max_fds')?.get()
    if (open instanceof Gauge && most !== undefined) open.set(most.values[0]!.value)
  }

  /** Stops observing the event loop and the garbage collector. */
  close(): void {
    this.#registry.clear()
  }
}
