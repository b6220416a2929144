import type { FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { Metrics } from '../../src/metrics/metrics.ts'
import { packageVersion } from '../../src/version.ts'

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
      // Counted by the connection: onResponse does not run if the caller has gone before there was an answer.
      reply.raw.on('close', leave)
      done()
    })
    const count = ({ method }: FastifyRequest, { elapsedTime, statusCode }: FastifyReply, route: string) =>
      metrics.httpDuration.observe(
        elapsedTime / 1000,
        methods.has(method) ? method : 'other',
        route,
        String(statusCode)
      )
    // The template of a route is known when the route is added. Reading it from a request would create an object with
    // all options of the route.
    fastify.addHook('onRoute', route => {
      const observe: onResponseHookHandler = (request, reply, done) => {
        count(request, reply, route.url)
        done()
      }
      route.onResponse = [observe, ...[route.onResponse ?? []].flat()]
    })
    fastify.addHook('onResponse', (request, reply, done) => {
      if (request.is404) count(request, reply, 'unmatched')
      done()
    })
  },
  { fastify: '5.x', name: 'operations/metrics', dependencies: ['operations/env'] }
)
