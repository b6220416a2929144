import type { Family, Sample } from './series.ts'

/* Metrics as text: Prometheus 0.0.4 and OpenMetrics 1.0.0. */

export type TextFormat = 'prometheus' | 'openmetrics'

/** The Content-Type of each text format. */
export const contentTypes: Readonly<Record<TextFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8'
}

/** Writes metric families in the given order. In OpenMetrics, the family name of a counter lacks `_total`. */
export function writeText(families: readonly Family[], format: TextFormat): string {
  const open = format === 'openmetrics'
  const blocks = families.map(family => {
    const counter = family.type === 'counter'
    const stem = counter ? family.name.replace(/_total$/, '') : family.name
    const name = open ? stem : family.name
    const sampleName = open && counter ? `${stem}_total` : family.name
    const lines = family.samples.map(sample => writeSample(sample, sampleName))
    return [`# HELP ${name} ${escapeHelp(family.help)}`, `# TYPE ${name} ${family.type}`, ...lines].join('\n')
  })
  return `${blocks.join('\n')}\n${open ? '# EOF\n' : ''}`
}

function writeSample({ metricName, labels, value }: Sample, name: string): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(String(text))}"`)
  return `${metricName ?? name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}`
}

const numberText = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')
