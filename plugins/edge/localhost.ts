import { lookup } from 'node:dns/promises'
import type { AddressInfo, Server } from 'node:net'
import fp from 'fastify-plugin'
import { listenToo } from '../../src/edge/connections/another-address.ts'
import { LOCALHOST } from '../../src/server-address.ts'

/**
 * Listens on every address of localhost if HOST is localhost. Fastify would open its own listeners for all but the
 * first, without the limits on connections.
 */
export default fp(
  async fastify => {
    if (fastify.config.HOST !== LOCALHOST) return
    const others: Server[] = []
    let closed: Promise<unknown> | undefined

    fastify.addHook('onListen', async () => {
      const { address: first, port } = fastify.server.address() as AddressInfo
      const hosts = new Set((await lookup(LOCALHOST, { all: true })).map(({ address }) => address))
      hosts.delete(first)
      for (const host of hosts) {
        // Some machines lack addresses that their hosts file names.
        const other = listenToo(fastify.server, { host, port }, err =>
          fastify.log.warn({ err, host }, 'no listener there')
        )
        fastify.connections.arrivals.guard(other)
        others.push(other)
      }
    })
    fastify.addHook('preClose', async () => {
      closed = Promise.all(others.map(server => new Promise(resolve => server.close(resolve))))
      fastify.server.closeIdleConnections()
    })
    fastify.addHook('onClose', async () => {
      await closed
    })
  },
  { fastify: '5.x', name: 'edge/localhost', dependencies: ['operations/env', 'edge/connections'] }
)
