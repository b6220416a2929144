import fp from 'fastify-plugin'
import { every } from '../../src/base/every.ts'
import type { CutReason } from '../../src/edge/connections/connection-limits.ts'
import { createNetwork, type Network } from '../../src/upstream/connections/network.ts'
import { ApiUrls } from '../../src/upstream/hosts/api-url.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The policy and settings of all outgoing connections. */
    readonly network: Network
    /** Chooses the forge of a session. */
    readonly apiUrls: ApiUrls
  }
}

/** Milliseconds between two times at which the kernel is asked how much it holds of answers. */
const LOOK_MS = 500

const REASON: CutReason = 'answers'

/**
 * Decorates the policy and settings of all outgoing connections.
 * @throws Error if the file of FORGE_CA_CERT_PATH cannot be used
 */
export default fp(
  async fastify => {
    const { config, hasHomeForge, metrics, troubles } = fastify
    const network = createNetwork(config, (host, trouble) => troubles.add(host, trouble))
    fastify.decorate('network', network)
    const cuts = fastify.sampledLog('info', { kind: 'reason', more: 'more connections cut' })
    const onCut = (address: string) => {
      metrics.connectionsCut.count(REASON)
      cuts.add(REASON, 'connection cut', () => ({ reason: REASON, address }))
    }
    if (config.ENABLE_DYNAMIC_API_URL) every(LOOK_MS, fastify, () => network.look(onCut))
    fastify.decorate(
      'apiUrls',
      new ApiUrls({
        dynamic: config.ENABLE_DYNAMIC_API_URL,
        home: network.home,
        hasHome: hasHomeForge,
        hosts: network.hosts.callers
      })
    )
  },
  {
    fastify: '5.x',
    name: 'forges/network',
    dependencies: ['operations/env', 'operations/sampled-log', 'operations/metrics', 'forges/troubles']
  }
)
