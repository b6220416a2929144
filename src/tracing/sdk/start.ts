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
 * Spans with OpenTelemetry's SDK. Only this folder imports it, and the folder is only loaded if tracing is on. Nothing
 * is registered with the global API: the parent of each span is given explicitly, so no context has to be tracked
 * through asynchronous calls.
 */

/**
 * The queue of spans. A span takes 1.5 KB until it is sent, so at most 3 MB of them wait for a collector that hangs.
 */
const queue = { maxQueueSize: 2048, maxExportBatchSize: 512, scheduledDelayMillis: 5_000 }

/** Most milliseconds that a shutdown waits for the collector. */
const CLOSE_MS = 2_000

interface SdkOptions extends TracingSettings {
  /** The version of this service. */
  readonly version: string
  /** Called when the collector did not accept a batch. */
  readonly onLost: (spans: number, error: unknown) => void
}

/**
 * Starts to record calls and to post them to a collector, in batches and without delaying calls. The SDK reads all
 * other settings from the environment: headers, time-out, compression, certificates, and resource attributes.
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

/** Wraps an exporter to report its failures, which the SDK would not pass on. */
const watched = (exporter: SpanExporter, onLost: SdkOptions['onLost']): SpanExporter => ({
  export(spans, done) {
    exporter.export(spans, result => {
      // 0 is ExportResultCode.SUCCESS, whose package would be imported only for this number.
      if (result.code !== 0) onLost(spans.length, result.error)
      done(result)
    })
  },
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.()
})

/** Waits until the promise settles in either way, but not longer than CLOSE_MS. */
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
