import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import proxyAddress from '@fastify/proxy-addr'
import fp from 'fastify-plugin'
import { every } from '../../src/base/every.ts'
import { asWritten } from '../../src/base/holders.ts'
import { linger } from '../../src/edge/answers/linger.ts'
import { callerAddress, isToldByAddress } from '../../src/edge/callers/forwarded.ts'
import { queueTaken } from '../../src/edge/connections/accept-queue.ts'
import { connectionLimits, limitsWithin } from '../../src/edge/connections/connection-limits.ts'
import { mostOpenFiles } from '../../src/edge/connections/open-files.ts'
import { Connections } from '../../src/edge/connections.ts'
import { troubleSampling } from '../../src/log/sampled-lines.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Bounds what callers hold by connections alone, on every port. */
    readonly connections: Connections
  }
}

const SWEEP_MS = 500

/** Addresses that are told of: proxies are few, and anybody may send their header. */
const MAX_NOTED = 5

/** Decorates the bounds on connections, and applies them to this server's own. */
export default fp(
  async fastify => {
    const { isProxy, log, metrics, server } = fastify
    const walk = (request: IncomingMessage): string | undefined => proxyAddress(request, isProxy)
    /** Tells once of an address by which many callers seem one. @param isTrusted which addresses are meant */
    const note = (isTrusted: boolean, says: string) => {
      const noted = new Set<string>()
      return (address: string) => {
        if (noted.size === MAX_NOTED || noted.has(address) || isProxy(address) !== isTrusted) return
        noted.add(address)
        log.warn({ address: asWritten(address) }, says)
      }
    }
    const noteUnnamed = note(
      false,
      'X-Forwarded-For does not count: if this address is a proxy of yours, name it in MCP_TRUST_PROXY, as all of its callers share the limits of one'
    )
    const noteSilent = note(
      true,
      'X-Forwarded-For is missing: this address is in MCP_TRUST_PROXY, and if it is a proxy of yours, have it send the header, as all of its callers share the limits of one'
    )
    const noteNameless = note(
      true,
      'X-Forwarded-For holds no address: this address is in MCP_TRUST_PROXY, and all of its callers for whom it writes the same, such as unknown or unix:, share the limits of one'
    )
    // An error in our own code may occur again and again.
    const faults = fastify.sampledLog(
      'error',
      { kind: 'name', more: 'more failures of listeners' },
      troubleSampling
    )
    const onFault = (error: unknown) => {
      const err = asError(error)
      faults.add(err.name, 'listener failed', () => ({ err }))
    }
    const cuts = fastify.sampledLog('info', { kind: 'reason', more: 'more connections cut' })
    const missed = fastify.sampledLog(
      'warn',
      { kind: 'code', more: 'more times the kernel could not be asked' },
      troubleSampling
    )
    const files = mostOpenFiles()
    const limits = limitsWithin(files)
    const { all, each } = limits.open
    if (all < connectionLimits.open.all)
      log.warn(
        { files, connections: all, ofAnAddress: each },
        'this process may open few files: callers have fewer connections (raise ulimit -n, LimitNOFILE)'
      )
    const connections = new Connections({
      limits,
      isProxy,
      callerOf(request) {
        const { remoteAddress } = request.socket
        const isForwarded = String(request.headers['x-forwarded-for'] ?? '').trim() !== ''
        const caller = callerAddress(request, walk)
        if (remoteAddress === undefined || caller === undefined) return caller
        if (isForwarded) noteUnnamed(remoteAddress)
        // Probes and scrapes come from nodes and neighbours, whose addresses may lie in the network that is trusted.
        else if (request.method === 'POST') noteSilent(remoteAddress)
        if (!isToldByAddress(caller)) noteNameless(remoteAddress)
        return caller
      },
      now: () => performance.now(),
      onCut(reason, address = '') {
        metrics.connectionsCut.count(reason)
        cuts.add(reason, 'connection cut', () => ({ reason, address: asWritten(address) }))
      },
      onRefused: (refusal, address = '') => fastify.refusedEarly(refusal, address),
      onBlind: err =>
        log.debug({ err }, 'the kernel does not say what it holds of connections, which is not bounded then'),
      onMissed(error) {
        const err = asError(error)
        missed.add(
          err.code ?? err.name,
          'the kernel could not be asked what it holds of connections',
          () => ({
            err
          })
        )
      },
      onFault
    })
    connections.guard(server)
    // An error while it listens concerns one connection that could not be accepted; without a listener it would end the
    // process.
    server.on('error', error => {
      if (server.listening) onFault(error)
    })
    fastify.decorate('connections', connections)
    fastify.addHook('onSend', (request, reply, payload, done) => {
      linger(request.raw, reply.raw, () => isProxy(request.raw.socket.remoteAddress ?? ''))
      // A stream lasts as long as it has something to send, checks itself whether it is read, and counts as an answer
      // when it ends.
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
    metrics.watch('connections_open', 'Connections of callers and scrapers.', () => connections.size)
    metrics.watch(
      'answers_unread_bytes',
      'Answers that callers have not taken yet.',
      () => connections.unread
    )
    metrics.watch(
      'connections_queued_bytes',
      'Answers and requests that the kernel held when it was last asked, which is where that can be much (Linux).',
      () => connections.queued
    )
  },
  {
    fastify: '5.x',
    name: 'edge/connections',
    dependencies: ['operations/env', 'operations/sampled-log', 'operations/metrics', 'operations/refusal-log']
  }
)

const asError = (error: unknown): NodeJS.ErrnoException =>
  error instanceof Error ? error : new Error(String(error))
