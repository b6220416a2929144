import { Readable } from 'node:stream'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { every } from '../../src/base/every.ts'
import { asWritten } from '../../src/base/holders.ts'
import { linger } from '../../src/edge/answers/linger.ts'
import { CallerAddresses } from '../../src/edge/callers/caller-addresses.ts'
import { queueTaken } from '../../src/edge/connections/accept-queue.ts'
import {
  type ConnectionLimits,
  connectionLimits,
  limitsWithin
} from '../../src/edge/connections/connection-limits.ts'
import type { ConnectionsOptions } from '../../src/edge/connections/connections-options.ts'
import { mostOpenFiles } from '../../src/edge/connections/open-files.ts'
import { Connections } from '../../src/edge/connections.ts'
import { troubleSampling } from '../../src/log/sampled-lines.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Bounds what callers hold merely by their connections, on every port. */
    readonly connections: Connections
  }
}

const SWEEP_MS = 500

/** Decorates the bounds on connections, and applies them to this server's own connections. */
export default fp(
  async fastify => {
    const { isProxy, log, metrics, server } = fastify
    const callers = new CallerAddresses({
      isProxy,
      walk: request => proxyAddress(request, isProxy),
      warn: (fields, says) => log.warn(fields, says)
    })
    const reports = reportsOf(fastify)
    const connections = new Connections({
      limits: limitsHere(log),
      isProxy,
      callerOf: request => callers.of(request),
      now: () => performance.now(),
      ...reports
    })
    connections.guard(server)
    // While the server listens, an error concerns one connection that could not be accepted. Without a listener the
    // error would end the process.
    server.on('error', error => {
      if (server.listening) reports.onFault(error)
    })
    fastify.decorate('connections', connections)
    fastify.addHook('onSend', (request, reply, payload, done) => {
      linger(request.raw, reply.raw, () => isProxy(request.raw.socket.remoteAddress ?? ''))
      // A stream lasts as long as it has something to send. It checks by itself whether it is read, and counts as an
      // answer when it ends.
      if (!(payload instanceof Readable)) {
        const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
        connections.answer(reply.raw, isText ? Buffer.byteLength(payload) : 0)
      }
      done(null, payload)
    })
    fastify.addHook('preClose', async () => {
      connections.leave()
      await queueTaken(server)
    })
    every(SWEEP_MS, fastify, () => connections.sweep())
    watch(connections, metrics)
  },
  {
    fastify: '5.x',
    name: 'edge/connections',
    dependencies: ['operations/env', 'operations/sampled-log', 'operations/metrics', 'operations/refusal-log']
  }
)

/** Logs and counts what happens to connections. */
function reportsOf(fastify: FastifyInstance) {
  const { log, metrics } = fastify
  // An error in our own code may occur again and again.
  const faults = fastify.sampledLog(
    'error',
    { kind: 'name', more: 'more failures of listeners' },
    troubleSampling
  )
  const cuts = fastify.sampledLog('info', { kind: 'reason', more: 'more connections cut' })
  const missed = fastify.sampledLog(
    'warn',
    { kind: 'code', more: 'more times the kernel could not be asked' },
    troubleSampling
  )
  return {
    onCut(reason, address = '') {
      metrics.connectionsCut.count(reason)
      cuts.add(reason, 'connection cut', () => ({ reason, address: asWritten(address) }))
    },
    onRefused: (refusal, address = '') => fastify.refusedEarly(refusal, address),
    onBlind: err =>
      log.debug({ err }, 'the kernel does not say what it holds of connections, which is not bounded then'),
    onMissed(error) {
      const err = asError(error)
      missed.add(err.code ?? err.name, 'the kernel could not be asked what it holds of connections', () => ({
        err
      }))
    },
    onFault(error) {
      const err = asError(error)
      faults.add(err.name, 'listener failed', () => ({ err }))
    }
  } satisfies Partial<ConnectionsOptions>
}

/** The limits of connections, lowered if this process may open few files; the log says so then. */
function limitsHere(log: FastifyBaseLogger): ConnectionLimits {
  const files = mostOpenFiles()
  const limits = limitsWithin(files)
  const { all, each } = limits.open
  if (all < connectionLimits.open.all)
    log.warn(
      { files, connections: all, ofAnAddress: each },
      'this process may open few files: callers have fewer connections (raise ulimit -n, LimitNOFILE)'
    )
  return limits
}

/** Adds gauges of what is held for connections. */
function watch(connections: Connections, metrics: FastifyInstance['metrics']): void {
  metrics.watch('connections_open', 'Connections of callers and scrapers.', () => connections.size)
  metrics.watch('answers_unread_bytes', 'Answers that callers have not taken yet.', () => connections.unread)
  metrics.watch(
    'connections_queued_bytes',
    'Answers and requests that the kernel held when it was last asked, which is where that can be much (Linux).',
    () => connections.queued
  )
}

const asError = (error: unknown): NodeJS.ErrnoException =>
  error instanceof Error ? error : new Error(String(error))
