import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes
} from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TracingSettings } from '../settings.ts'
import type { Tracing } from '../spans.ts'
import { SdkCall } from './call.ts'
import { samplerOf } from './sampler.ts'

/*
 * Spans by OpenTelemetry's SDK. This folder alone imports it, and is itself imported only where tracing is on.
 * Nothing is registered with the API's globals: which span is whose child is said where it begins,
 * which spares all others the tracking of asynchronous calls.
 */

/** A span takes 1.5 KB until it is sent, so that 3 MB of them wait for a collector that hangs. */
const queue = { maxQueueSize: 2048, maxExportBatchSize: 512, scheduledDelayMillis: 5_000 }

/** How long the way out of service may wait for the collector. */
const CLOSE_MS = 2_000

export interface SdkOptions extends TracingSettings {
  /** Of this service. */
  readonly version: string
  /** The collector did not take a batch. */
  readonly onLost: (spans: number, error: unknown) => void
}

/**
 * Starts to record calls and to post them to a collector, in batches and behind the calls' back. What is not in
 * the options the SDK reads from the environment: headers, time-out, compression, certificates, and resource
 * attributes.
 */
export function startTracing({ url, serviceName, sampler, ratio, version, onLost }: SdkOptions): Tracing {
  const own = { 'service.name': 'forge-tool-server', 'service.version': version }
  const resource = defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(serviceName === undefined ? {} : { 'service.name': serviceName }))
  const exporter = watched(new OTLPTraceExporter({ url }), onLost)
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(sampler, ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...queue })]
  })
  const tracer = provider.getTracer('forge-tool-server', version)
  return {
    call: facts => new SdkCall(tracer, facts),
    close: () => withinBound(provider.shutdown())
  }
}

/** The same exporter, whose failures are told. The SDK would keep them to itself. */
const watched = (exporter: SpanExporter, onLost: SdkOptions['onLost']): SpanExporter => ({
  export(spans, done) {
    exporter.export(spans, result => {
      // ExportResultCode.SUCCESS, of a package that would be imported for this number alone.
      if (result.code !== 0) onLost(spans.length, result.error)
      done(result)
    })
  },
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.()
})

/** Waits for an end, but not longer than CLOSE_MS, and for whatever end. */
function withinBound(end: Promise<unknown>): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, CLOSE_MS)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    end.then(done, done)
  })
}
