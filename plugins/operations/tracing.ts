import fp from 'fastify-plugin'
import { Losses } from '../../src/tracing/losses.ts'
import { tracingSettings } from '../../src/tracing/settings.ts'
import type { Tracing } from '../../src/tracing/spans.ts'
import { packageVersion } from '../../src/version.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Records calls for a collector; undefined unless a collector is configured. */
    readonly tracing: Tracing | undefined
  }
}

/** Decorates the recording of calls. The OpenTelemetry modules are only loaded if a collector is configured. */
export default fp(
  async fastify => {
    const { config, log } = fastify
    const settings = tracingSettings(config)
    if (settings === undefined) {
      fastify.decorate('tracing', undefined)
      return
    }
    const losses = new Losses(
      (err, spans) => log.warn({ err, spans, collector: settings.url }, 'the collector does not take traces'),
      () => performance.now()
    )
    const { startTracing } = await loadSdk()
    const tracing = startTracing({
      ...settings,
      version: packageVersion(),
      onLost: (spans, error) => losses.add(spans, error)
    })
    fastify.decorate('tracing', tracing)
    // Runs after the last call has ended, and after the onClose hooks of all plugins that were registered later.
    fastify.addHook('onClose', () => tracing.close())
    log.info({ collector: settings.url, sampler: settings.sampler }, 'calls are traced')
  },
  { fastify: '5.x', name: 'operations/tracing', dependencies: ['operations/env'] }
)

// Not in the plugin itself: within `export default`, the compiler does not rewrite the name of a source file.
const loadSdk = () => import('../../src/tracing/sdk/start.ts')
