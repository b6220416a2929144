import fp from 'fastify-plugin'
import { isLeftOut } from '../../src/upstream/connections/proxied.ts'
import { TroubleLines } from '../../src/upstream/guard/trouble-lines.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The log of trouble between this service and a forge. */
    readonly troubles: TroubleLines
  }
}

/** Decorates the log of trouble with forges and proxies. Its last sums are written when the connections are closed. */
export default fp(
  async fastify => {
    const { config, log } = fastify
    const troubles = new TroubleLines(
      (fields, message) => log.warn(fields, message),
      new URL(config.FORGE_API_URL).host,
      [config.HTTPS_PROXY, config.HTTP_PROXY].filter(url => url !== '').map(url => new URL(url).host),
      // Without a proxy for https, that for http serves both.
      (host, isPlain) => (!isPlain || config.HTTP_PROXY !== '') && !isLeftOut(host, config.NO_PROXY)
    )
    fastify.decorate('troubles', troubles)
    // Runs after the onClose hooks of plugins that are registered later, which may still meet trouble.
    fastify.addHook('onClose', async () => troubles.close())
  },
  { fastify: '5.x', name: 'forges/troubles', dependencies: ['operations/env'] }
)
