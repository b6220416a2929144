import { randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Config } from '../../src/config/schema.ts'
import { goodFor } from '../../src/seal/good-for.ts'
import { decodeSecret, Keyring, MIN_SECRET_BYTES } from '../../src/seal/keyring.ts'
import { pooledRandom } from '../../src/seal/random.ts'
import { Rotation } from '../../src/seal/rotation.ts'
import { Sealer } from '../../src/seal/sealer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Seals and opens values; undefined unless OAUTH_STATELESS_MODE is on. */
    readonly sealer: Sealer | undefined
    /**
     * The same for values that a client only sends back with its next request. Without OAUTH_STATELESS_SECRET, which
     * may be set without the mode, it uses a key of this process.
     */
    readonly requestSealer: Sealer
  }
}

/** Decorates the sealers, with keys from OAUTH_STATELESS_SECRET. */
export default fp(
  async fastify => {
    const { config, metrics, network } = fastify
    const ownSecret = randomBytes(MIN_SECRET_BYTES)
    // In this mode, config/rules/sealing-rules.ts has already refused secrets that do not decode.
    const secretsOf = ({ OAUTH_STATELESS_SECRET, OAUTH_STATELESS_SECRET_PREVIOUS }: Config) =>
      [
        decodeSecret(OAUTH_STATELESS_SECRET) ?? ownSecret,
        decodeSecret(OAUTH_STATELESS_SECRET_PREVIOUS)
      ] as const
    const keyring = new Keyring(...secretsOf(config))
    const rotation = new Rotation(config)
    fastify.onNewSettings({
      variables: ['OAUTH_STATELESS_SECRET', 'OAUTH_STATELESS_SECRET_PREVIOUS'],
      use: changed => {
        // Meant after a leak alone; in a rotation a step was left out.
        if (!keyring.replace(...secretsOf(changed)))
          fastify.log.warn('sealing key replaced, what the former one has sealed is refused from now on')
        if (rotation.loses(changed))
          fastify.log.warn(
            'previous sealing key taken away, which was not the key while this process ran: if it was to be the new one, the key was not changed'
          )
      }
    })
    const refusals = fastify.sampledLog('info', { kind: 'reason', more: 'more sealed values refused' })
    const sealer = new Sealer({
      keyring,
      now: Date.now,
      random: pooledRandom(),
      goodFor: goodFor({
        home: network.home,
        mode: config.FORGE_MCP_OAUTH ? 'oauth' : 'remote',
        appId: config.FORGE_OAUTH_APP_ID
      }),
      onRefused(purpose, reason, requestId) {
        metrics.sealedRefused.count(purpose, reason)
        refusals.add(reason, 'sealed value refused', () => ({ requestId, purpose, reason }))
      },
      onPrevious: purpose => metrics.previousSecretUses.count(purpose)
    })
    fastify.decorate('sealer', config.OAUTH_STATELESS_MODE ? sealer : undefined)
    fastify.decorate('requestSealer', sealer)
  },
  {
    fastify: '5.x',
    name: 'sessions/sealer',
    dependencies: [
      'operations/env',
      'operations/sampled-log',
      'operations/changed-settings',
      'operations/metrics',
      'forges/network'
    ]
  }
)
