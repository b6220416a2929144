import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { every } from '../../src/base/every.ts'
import { troubleSampling } from '../../src/log/sampled-lines.ts'
import { Forges } from '../../src/upstream/forges.ts'
import { userAgent } from '../../src/version.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Clients for the calls of callers, over connections that are kept for each forge. */
    readonly forges: Forges
  }
}

/** Decorates the access to forges; connections to them are closed with the server. */
export default fp(
  async fastify => {
    const { config } = fastify
    const forges = forgesOf(fastify)
    if (config.ENABLE_DYNAMIC_API_URL)
      every(config.FORGE_POOL_CLEANUP_INTERVAL, fastify, () => forges.sweep())
    fastify.decorate('forges', forges)
    watch(forges, fastify)
    fastify.addHook('onClose', () => forges.close())
  },
  {
    fastify: '5.x',
    name: 'forges/upstream',
    dependencies: [
      'edge/at-work',
      'operations/env',
      'operations/metrics',
      'operations/lifecycle',
      'forges/network',
      'operations/sampled-log',
      'forges/troubles'
    ]
  }
)

/** The clients of forges. What happens to them is counted and logged. */
function forgesOf(fastify: FastifyInstance): Forges {
  const { config, lifecycle, log, metrics, network, troubles } = fastify
  // Anybody can name a forge that refuses.
  const refusing = fastify.sampledLog(
    'warn',
    { kind: 'of', more: 'more spells in which forges refuse' },
    troubleSampling
  )
  const forges: Forges = new Forges({
    home: network.home,
    dispatcher: (of, known) => network.dispatcher(of, known),
    hosts: network.hosts,
    find: hostname => network.find(hostname),
    userAgent: userAgent(),
    concurrency: config.FORGE_MAX_CONCURRENCY,
    poolSize: config.FORGE_POOL_MAX_SIZE,
    poolIdleMs: config.FORGE_POOL_IDLE_TIMEOUT,
    now: () => performance.now(),
    standstill: lifecycle.standstill,
    atWork: fastify.atWork,
    ...metrics.upstream,
    onAcquired: (how, host) => log.debug({ host, size: forges.pool.size }, `pool client ${how}`),
    onEvicted: (reason, host) => {
      metrics.upstream.onEvicted(reason)
      log.debug({ host, reason, size: forges.pool.size }, 'pool client evicted')
    },
    onTrouble: (host, trouble, told) => troubles.add(host, trouble, told),
    onCircuit: (open, host) => {
      metrics.upstream.onCircuit(open)
      log.warn(
        { host },
        open ? 'forge not responding, circuit opened' : 'forge responding again, circuit closed'
      )
    },
    onRefusing: (spell, host, of) =>
      refusing.add(
        of,
        spell === undefined ? 'the forge refuses most requests no longer' : 'the forge refuses most requests',
        () => ({ host, ...spell })
      )
  })
  return forges
}

/** Measures how many forges have clients, what their answers take, and how long they have been silent. */
function watch(forges: Forges, { config, metrics }: FastifyInstance): void {
  metrics.watch('pool_clients', 'Forges with connections, besides FORGE_API_URL.', () => forges.pool.size)
  metrics.watch(
    'forge_answers_held_bytes',
    'Memory of forges’ answers that are being read.',
    () => forges.held
  )
  metrics.watch(
    'forge_silent_seconds',
    'For how long the forge of FORGE_API_URL has answered nobody, from the first failure to the latest.',
    () => forges.silentMs.home / 1000
  )
  // Only for forges that the operator has named: otherwise any caller could name a host that is dead. Below an entry
  // with *, callers can still do so.
  if (config.FORGE_ALLOWED_HOSTS !== '')
    metrics.watch(
      'named_forges_silent_seconds',
      'For how long a forge in FORGE_ALLOWED_HOSTS has answered nobody, from the first failure to the latest; of several the longest.',
      () => forges.silentMs.callers / 1000
    )
  metrics.watch('pool_clients_max', 'FORGE_POOL_MAX_SIZE.', () => forges.pool.max)
}
