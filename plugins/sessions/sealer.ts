import { randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'
import { sidAge } from '../../src/config/rules/sealing-rules.ts'
import type { Config } from '../../src/config/schema.ts'
import { ANSWER_SECONDS } from '../../src/protocol/questions/request-states.ts'
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
     * As `sealer`, for values that a client only sends back with its next request. Without OAUTH_STATELESS_SECRET,
     * which may be set without the mode, it uses a key of this process.
     */
    readonly requestSealer: Sealer
  }
}

const lostKeys = {
  next: 'previous sealing key taken away, which was not the key while this process ran: if it was to be the new one, the key was not changed',
  former:
    'previous sealing key replaced by another while what it has sealed lives, which is refused from now on: put it back',
  oldest:
    'sealing key replaced again while what the key before the former one has sealed lives, which is refused from now on: put both back',
  used: 'previous sealing key taken away while what it has sealed is in use, which is refused from now on: put it back'
} as const

/**
 * The longest lifetime, in seconds, of the values that are sealed with a configuration. Refresh tokens may live longer,
 * but those in use are renewed within this time.
 */
const sealedSeconds = (config: Config): number =>
  Math.max(
    ANSWER_SECONDS,
    config.OAUTH_STATELESS_MODE ? sidAge(config) : 0,
    config.OAUTH_STATELESS_MODE && config.FORGE_MCP_OAUTH ? config.OAUTH_STATELESS_CLIENT_TTL_SECONDS : 0
  )

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
    const rotation = new Rotation(config, 1000 * sealedSeconds(config))
    fastify.onNewSettings({
      variables: ['OAUTH_STATELESS_SECRET', 'OAUTH_STATELESS_SECRET_PREVIOUS'],
      use: changed => {
        // Such a replacement is only meant after a leak. In a rotation it means that a step was left out.
        if (!keyring.replace(...secretsOf(changed)))
          fastify.log.warn('sealing key replaced, what the former one has sealed is refused from now on')
        const { unusedMs } = rotation
        const lost = rotation.loses(changed)
        if (lost === undefined) return
        fastify.log.warn(
          lost === 'used' ? { lastUsedSecondsAgo: Math.round(unusedMs / 1000) } : {},
          lostKeys[lost]
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
      onPrevious(purpose) {
        metrics.previousSecretUses.count(purpose)
        rotation.used()
      }
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
