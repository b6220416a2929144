import { parsedUrl } from '../../base/parsed-url.ts'
import { isSamplerName, isTracing, readRatio, samplerNames, tracingSettings } from '../../tracing/settings.ts'
import type { Config, Variable } from '../schema.ts'
import { insteadOfEntries } from '../shown.ts'
import type { Rule } from './rule.ts'

/**
 * Rules about traces. Without an endpoint nothing is checked: platforms set OTEL variables for everything they run,
 * sometimes with values for the SDKs of other languages.
 */
export const tracingRules: readonly Rule[] = [
  endpointRule('OTEL_EXPORTER_OTLP_ENDPOINT'),
  endpointRule('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
  {
    variables: ['OTEL_TRACES_SAMPLER'],
    broken: config => isTracing(config) && !isSamplerName(config.OTEL_TRACES_SAMPLER),
    say: config =>
      `OTEL_TRACES_SAMPLER must be one of ${samplerNames.join(', ')}${insteadOfEntries([config.OTEL_TRACES_SAMPLER])}.`
  },
  {
    variables: ['OTEL_TRACES_SAMPLER_ARG'],
    broken: config => isTracing(config) && readRatio(config.OTEL_TRACES_SAMPLER_ARG) === undefined,
    say: 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.'
  }
]

/** The gRPC port of most collectors; they accept OTLP over HTTP on the next port. */
const GRPC_PORT = '4317'

/** The path of a base URL that was given as the whole URL: some collectors have paths of their own, other than this. */
const basePath = /(?:^\/|\/otlp\/?)$/

/** Notes for the operator on traces that are on, but may not arrive. */
export function tracingNotes(config: Config): string[] {
  const settings = tracingSettings(config)
  if (settings === undefined) return []
  const { pathname, port } = new URL(settings.url)
  const notes: string[] = []
  if (port === GRPC_PORT)
    notes.push(
      'Port 4317 of a collector is mostly that of gRPC: traces are sent over HTTP, for which it has 4318.'
    )
  if (pathname.endsWith('/v1/traces/v1/traces'))
    notes.push(
      'OTEL_EXPORTER_OTLP_ENDPOINT ends in /v1/traces, which is added to it once more: leave it out.'
    )
  if (basePath.test(pathname))
    notes.push(
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is taken as it is: most collectors take traces at a path that ends in /v1/traces.'
    )
  if (!/^(?:true|false|)$/i.test(config.OTEL_SDK_DISABLED))
    notes.push('OTEL_SDK_DISABLED is neither true nor false, and counts as false: traces are sent.')
  return notes
}

/**
 * Notes on the protocol in OpenTelemetry's own variables. They apply to all SDKs of a platform, but only one protocol
 * is supported here.
 * @param settings the given settings
 */
export function protocolNotes(env: NodeJS.ProcessEnv, settings: Partial<Record<Variable, string>>): string[] {
  const name = (['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const).find(
    variable => env[variable]
  )
  const isOn = isTracing({
    OTEL_SDK_DISABLED: settings.OTEL_SDK_DISABLED ?? '',
    OTEL_TRACES_EXPORTER: settings.OTEL_TRACES_EXPORTER ?? '',
    OTEL_EXPORTER_OTLP_ENDPOINT: settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? '',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? ''
  })
  return isOn && name !== undefined && env[name] === 'grpc'
    ? [`${name}=grpc has no effect: traces are sent over HTTP, as JSON.`]
    : []
}

function endpointRule(variable: 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'): Rule {
  return {
    variables: [variable],
    broken: config => isTracing(config) && config[variable] !== '' && !isCollector(config[variable]),
    say: `${variable} must be the http or https URL of an OTLP collector, such as http://collector.example:4318, without user, query, fragment or port above 65535; credentials go in OTEL_EXPORTER_OTLP_HEADERS.`
  }
}

function isCollector(value: string): boolean {
  const url = parsedUrl(value)
  if (url === undefined) return false
  const plain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return (url.protocol === 'http:' || url.protocol === 'https:') && plain
}
