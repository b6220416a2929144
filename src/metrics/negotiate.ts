import { type MediaRange, mediaRanges, rangeParameterOf } from '../base/media-ranges.ts'
import type { TextFormat } from './exposition.ts'

type MetricsFormat = 'json' | TextFormat

const formats = new Set<string>(['json', 'prometheus', 'openmetrics'])

/**
 * Chooses the format of GET /metrics. JSON is the default; text is for scrapers, which name it in Accept, as Prometheus
 * does. Wildcards never choose text, because otherwise every browser and curl would get it.
 * @param asked the `format` of the query, which takes precedence over Accept
 * @returns undefined for an unknown `format`
 */
export function metricsFormat(accept: string | undefined, asked?: string): MetricsFormat | undefined {
  if (asked !== undefined) return formats.has(asked) ? (asked as MetricsFormat) : undefined
  const ranges = mediaRanges(accept ?? '')
  const best = (wanted: (range: MediaRange) => boolean) => Math.max(0, ...ranges.filter(wanted).map(weightOf))
  const json = best(({ type }) => type === 'application/json' || type === 'application/*')
  const open = best(({ type }) => type === openMetrics)
  const plain = best(({ type }) => type === 'text/plain')
  if (Math.max(open, plain) <= json) return 'json'
  // Version 0.0.1 was a draft that no program writes any more. Clients that accept no other version get the plain text.
  const open1 = best(range => range.type === openMetrics && rangeParameterOf(range, 'version') !== '0.0.1')
  return open1 > plain ? 'openmetrics' : 'prometheus'
}

const openMetrics = 'application/openmetrics-text'

/** The weight of a media range, from 0 to 1. */
function weightOf(range: MediaRange): number {
  const q = Number(rangeParameterOf(range, 'q') ?? 1)
  return Number.isNaN(q) ? 0 : Math.min(1, Math.max(0, q))
}
