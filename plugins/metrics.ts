import fp from 'fastify-plugin'
import { Metrics } from '../src/metrics/metrics.ts'
import { packageVersion } from '../src/version.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Everything that is counted. Other plugins count with it and add gauges to it. */
    readonly metrics: Metrics
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Decorates the counters, and counts HTTP requests. */
export default fp(
  async fastify => {
    const metrics = new Metrics()
    metrics.watch('build_info', 'Constant 1, with the version.', () => 1, { version: packageVersion() })
    fastify.decorate('metrics', metrics)
    fastify.addHook('onRequest', (_request, _reply, done) => {
      metrics.httpInFlight++
      done()
    })
    // Also runs when the caller has gone before its answer.
    fastify.addHook('onResponse', (request, reply, done) => {
      metrics.httpInFlight--
      const method = methods.has(request.method) ? request.method : 'other'
      const route = request.routeOptions.url ?? 'unmatched'
      metrics.httpDuration.observe(reply.elapsedTime / 1000, method, route, String(reply.statusCode))
      done()
    })
  },
  { fastify: '5.x', name: 'metrics', dependencies: ['env'] }
)
