import { readFileSync } from 'node:fs'
import type { Line, Panel } from './draw.ts'

/* What the dashboard asks Prometheus. */

interface Dashboard {
  readonly title: string
  readonly templating: {
    readonly list: readonly {
      readonly name: string
      readonly type: string
      readonly query: string
      readonly allValue?: string
    }[]
  }
  readonly panels: readonly {
    readonly title: string
    readonly gridPos: Panel['grid']
    readonly fieldConfig: { readonly defaults: { readonly unit: string } }
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
  }[]
}

export const dashboard: Dashboard = JSON.parse(
  readFileSync(new URL('../../docs/dashboard.json', import.meta.url), 'utf8')
)

/** A query with Grafana's variables filled in. @param interval such as 10s */
const filled = (expr: string, interval: string): string =>
  expr.replaceAll('$namespace', '.*').replaceAll('$job', '.*').replaceAll('$__rate_interval', interval)

interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly (readonly [number, string])[]
}

/**
 * The panels with what Prometheus has for them.
 * @param prometheus its address @param from first and @param to last second
 * @throws Error where a query is refused
 */
export function readPanels(prometheus: string, from: number, to: number): Promise<Panel[]> {
  const ask = async (expr: string): Promise<Series[]> => {
    const query = new URLSearchParams({
      query: filled(expr, '10s'),
      start: String(from),
      end: String(to),
      step: '2'
    })
    const answer = await fetch(`${prometheus}/api/v1/query_range?${query}`)
    const { data, error } = (await answer.json()) as { data: { result: Series[] }; error?: string }
    if (error !== undefined) throw new Error(`${expr}: ${error}`)
    return data.result
  }
  const linesOf = async (expr: string, legend: string): Promise<Line[]> =>
    (await ask(expr)).map(({ metric, values }) => ({
      name: legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? ''),
      points: values
        .map(([at, value]) => [at, Number(value)] as const)
        .filter(([, value]) => Number.isFinite(value))
    }))
  return Promise.all(
    dashboard.panels.map(async ({ title, gridPos, fieldConfig, targets }) => ({
      title,
      unit: fieldConfig.defaults.unit,
      grid: gridPos,
      lines: (await Promise.all(targets.map(({ expr, legendFormat }) => linesOf(expr, legendFormat)))).flat()
    }))
  )
}
