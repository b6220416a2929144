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
    const leave = (): void => {
      metrics.httpInFlight--
    }
    fastify.addHook('onRequest', (_request, reply, done) => {
      metrics.httpInFlight++
      // By the connection: onResponse does not run where the caller has gone before there was an answer.
      reply.raw.on('close', leave)
      done()
    })
    fastify.addHook('onResponse', (request, reply, done) => {
      const method = methods.has(request.method) ? request.method : 'other'
      const route = request.routeOptions.url ?? 'unmatched'
      metrics.httpDuration.observe(reply.elapsedTime / 1000, method, route, String(reply.statusCode))
      done()
    })
  },
  { fastify: '5.x', name: 'metrics', dependencies: ['env'] }
)
