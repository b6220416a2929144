import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Family } from './series.ts'

/** Node's own state, as prom-client knows it: CPU, memory, event loop, garbage collection. */
export class ProcessMetrics {
  readonly #registry = new Registry()

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
  }

  async read(): Promise<Family[]> {
    const metrics = await this.#registry.getMetricsAsJSON()
    return metrics.map(metric => {
      const { name, help, values } = metric
      return { name, help, type: String(metric.type) as Family['type'], samples: values as Family['samples'] }
    })
  }

  /** Stops what watches the event loop and the garbage collector. */
  close(): void {
    this.#registry.clear()
  }
}
