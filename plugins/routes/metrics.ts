import rateLimit from '@fastify/rate-limit'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { holderOf } from '../../src/base/holders.ts'
import { listenFault } from '../../src/config/listen-fault.ts'
import { noStore } from '../../src/edge/answers/no-store.ts'
import { BACKLOG } from '../../src/edge/connections/connection-limits.ts'
import { type PlainListenerOptions, plainListener } from '../../src/edge/listener.ts'
import { parameterOf, pathOf } from '../../src/edge/requests/target.ts'
import { contentTypes, type TextFormat, writeText } from '../../src/metrics/exposition.ts'
import { FreshTexts } from '../../src/metrics/fresh-texts.ts'
import { metricsFormat } from '../../src/metrics/negotiate.ts'
import type { ProcessMetrics } from '../../src/metrics/process-metrics.ts'
import { metricsRecord } from '../../src/metrics/record.ts'
import { tooManyScrapes } from '../../src/protocol/messages/limit-refusals.ts'
import { Refusal } from '../../src/protocol/messages/refusal.ts'
import { addressFor } from '../../src/server-address.ts'

/**
 * Scrapes of one address in a window, at both ports together. This is enough for several scrapers that each scrape
 * every few seconds.
 */
const SCRAPES = 120
const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000

/** For a client that was given the wrong one of two ports. */
const otherPath = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'METRICS_PORT serves /metrics alone; MCP is served on PORT, at /mcp.\n'
} as const

/**
 * GET /metrics: the metrics as JSON, or as Prometheus text for clients that name it in Accept or `?format=`. With
 * METRICS_PORT, a second listener serves only the text, for scrapers that the ingress does not reach.
 */
export default fp(
  async fastify => {
    const { config, metrics } = fastify
    // Watching the garbage collector has a cost, and so has loading the module for it. Neither is paid before the first
    // scrape.
    let node: Promise<ProcessMetrics> | undefined
    fastify.addHook('onClose', async () => (await node)?.close())

    const write = async (format: TextFormat): Promise<string> => {
      node ??= watchNode().catch(error => {
        node = undefined
        throw error
      })
      const families = await (await node).read()
      return writeText([...metrics.sources.map(source => source.read()), ...families], format)
    }
    const texts = new FreshTexts(write)
    const record = () =>
      metricsRecord(metrics, {
        activeSessions: fastify.sessions.size,
        uptime: process.uptime(),
        memory: process.memoryUsage(),
        config
      })

    await fastify.register(rateLimit, {
      max: SCRAPES,
      timeWindow: WINDOW_MS,
      cache: MAX_ADDRESSES,
      keyGenerator: ({ ip }) => holderOf(ip),
      enableDraftSpec: true,
      errorResponseBuilder: (_request, { ttl }) => tooManyScrapes(SCRAPES, Math.ceil(ttl / 1000))
    })
    fastify.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
      if (!(error instanceof Refusal)) return reply.send(error)
      fastify.refused(request, error.status, error.reason)
      return reply.code(error.status).headers(error.headers).send({ error: error.message })
    })
    fastify.get('/metrics', async (request, reply) => {
      const format = metricsFormat(request.headers.accept, parameterOf(request.raw, 'format'))
      reply.header('vary', 'Accept').headers(noStore)
      if (format === undefined)
        return reply.code(400).send({ error: 'format must be json, prometheus or openmetrics' })
      if (format === 'json') return record()
      return reply.header('content-type', contentTypes[format]).send(await texts.of(format))
    })

    if (config.METRICS_PORT !== 0 && config.STREAMABLE_HTTP) listenApart(fastify, texts)
  },
  {
    fastify: '5.x',
    name: 'routes/metrics',
    dependencies: [
      'operations/env',
      'operations/metrics',
      'edge/connections',
      'operations/refusal-log',
      'sessions/store'
    ]
  }
)

/** Listens on METRICS_PORT, which serves only the texts, while the service runs. */
function listenApart(fastify: FastifyInstance, texts: FreshTexts): void {
  const { config, connections, log } = fastify
  const listener = plainListener({
    connections,
    onFault: err => log.error({ err }, 'metrics failed'),
    handle: scrapes(fastify, texts)
  })
  fastify.addHook(
    'onReady',
    () =>
      new Promise<void>((resolve, reject) => {
        const place = { host: config.HOST, port: config.METRICS_PORT, variable: 'METRICS_PORT' } as const
        listener.once('error', error => reject(listenFault(error, place)))
        void addressFor(config.HOST).then(
          host => listener.listen({ port: config.METRICS_PORT, host, backlog: BACKLOG }, resolve),
          reject
        )
      })
  )
  fastify.addHook('onClose', () => {
    listener.close()
    listener.closeAllConnections()
  })
}

/** Answers the requests at METRICS_PORT. */
function scrapes(fastify: FastifyInstance, texts: FreshTexts): PlainListenerOptions['handle'] {
  const counted = fastify.createRateLimit()
  return async request => {
    const isServed = pathOf(request) === '/metrics'
    const came = {
      ip: request.socket.remoteAddress ?? '',
      headers: request.headers,
      raw: request,
      routeOptions: { url: isServed ? '/metrics' : undefined }
    }
    if (!isServed) {
      fastify.refused(came, otherPath.status, 'path')
      return otherPath
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      fastify.refused(came, 405, 'method')
      return { status: 405 }
    }
    // A text takes some milliseconds of the event loop, which scrapers share with callers.
    const count = await counted(came as FastifyRequest)
    if (!count.isAllowed && count.isExceeded) {
      const { status, reason, headers } = tooManyScrapes(SCRAPES, count.ttlInSeconds)
      fastify.refused(came, status, reason)
      return { status, headers }
    }
    const format = metricsFormat(request.headers.accept) === 'openmetrics' ? 'openmetrics' : 'prometheus'
    const headers = { ...noStore, 'content-type': contentTypes[format], vary: 'Accept' }
    return { status: 200, headers, body: request.method === 'HEAD' ? '' : await texts.of(format) }
  }
}

// Not in the plugin itself: within `export default`, the compiler does not rewrite the name of a source file.
async function watchNode(): Promise<ProcessMetrics> {
  const { ProcessMetrics } = await import('../../src/metrics/process-metrics.ts')
  return new ProcessMetrics()
}
