import fp from 'fastify-plugin'
import { goodFor } from '../src/seal/good-for.ts'
import { decodeSecret, Keyring } from '../src/seal/keyring.ts'
import { pooledRandom } from '../src/seal/random.ts'
import { Sealer } from '../src/seal/sealer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes and opens sealed values; undefined unless OAUTH_STATELESS_MODE is on. */
    readonly sealer: Sealer | undefined
  }
}

/** Decorates the maker of sealed values, keyed by OAUTH_STATELESS_SECRET. */
export default fp(
  async fastify => {
    const { config, network } = fastify
    const { OAUTH_STATELESS_MODE, OAUTH_STATELESS_SECRET, OAUTH_STATELESS_SECRET_PREVIOUS } = config
    if (!OAUTH_STATELESS_MODE) {
      fastify.decorate('sealer', undefined)
      return
    }
    const sealer = new Sealer({
      // config/rules.ts has refused secrets that do not decode.
      keyring: new Keyring(
        decodeSecret(OAUTH_STATELESS_SECRET)!,
        decodeSecret(OAUTH_STATELESS_SECRET_PREVIOUS)
      ),
      now: Date.now,
      random: pooledRandom(),
      goodFor: goodFor({
        home: network.home,
        mode: config.FORGE_MCP_OAUTH ? 'oauth' : 'remote',
        appId: config.FORGE_OAUTH_APP_ID
      }),
      onRefused: (purpose, reason) => fastify.log.debug({ purpose, reason }, 'sealed value refused')
    })
    fastify.decorate('sealer', sealer)
  },
  { fastify: '5.x', name: 'sealer', dependencies: ['env', 'network'] }
)
