import type { Config } from '../config/schema.ts'

/*
 * The meaning of OpenTelemetry's environment variables in this service. Names and meanings are those of the
 * specification.
 */

type TracingConfig = Pick<
  Config,
  | 'OTEL_SDK_DISABLED'
  | 'OTEL_TRACES_EXPORTER'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
>

/** The values of OTEL_TRACES_SAMPLER that this service knows. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio'
] as const
export type SamplerName = (typeof samplerNames)[number]

export interface TracingSettings {
  /** The URL to which spans are posted. */
  readonly url: string
  /** If it is undefined, OTEL_RESOURCE_ATTRIBUTES decides. */
  readonly serviceName: string | undefined
  readonly sampler: SamplerName
  /** Share of traces that the ratio samplers take, from 0 to 1. */
  readonly ratio: number
}

/** Whether a name is one of samplerNames. */
export const isSamplerName = (name: string): name is SamplerName =>
  (samplerNames as readonly string[]).includes(name)

/** Reads the ratio in OTEL_TRACES_SAMPLER_ARG; 1 if it is empty, undefined if it is invalid. */
export function readRatio(text: string): number | undefined {
  const ratio = text === '' ? 1 : Number(text)
  return ratio >= 0 && ratio <= 1 ? ratio : undefined
}

/** Whether spans are to be exported at all. */
export const isTracing = (
  config: Omit<TracingConfig, 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>
): boolean =>
  !/^true$/i.test(config.OTEL_SDK_DISABLED) &&
  // The specification's value for no exporter (SDK environment variables, exporter selection).
  config.OTEL_TRACES_EXPORTER !== 'none' &&
  (config.OTEL_EXPORTER_OTLP_ENDPOINT !== '' || config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== '')

/**
 * The settings of tracing.
 * @param config a configuration that was checked
 * @returns undefined when tracing is off
 */
export function tracingSettings(config: TracingConfig): TracingSettings | undefined {
  if (!isTracing(config)) return undefined
  const own = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  return {
    // The endpoint for one signal is used unchanged; the common endpoint is the base for each signal (OTLP exporter
    // specification).
    url: own === '' ? `${config.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces` : own,
    serviceName: config.OTEL_SERVICE_NAME === '' ? undefined : config.OTEL_SERVICE_NAME,
    sampler: config.OTEL_TRACES_SAMPLER as SamplerName,
    ratio: readRatio(config.OTEL_TRACES_SAMPLER_ARG) ?? 1
  }
}
