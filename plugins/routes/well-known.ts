import fp from 'fastify-plugin'
import { metadataPaths, resourceMetadata, serverMetadata } from '../../src/oauth/rules/metadata.ts'
import { publicBase } from '../../src/server-address.ts'

/** Discovery documents of OAuth mode. In other modes these paths do not exist, because clients would try to log in. */
export default fp(
  async fastify => {
    const { facts } = fastify.oauth!.proxy
    const paths = metadataPaths(publicBase(fastify.config))
    const documents = [
      [paths.server, () => serverMetadata(facts())],
      [paths.resource, () => resourceMetadata(facts())]
    ] as const
    for (const [urls, document] of documents)
      for (const url of urls)
        fastify.get(url, async (_request, reply) => {
          reply.header('cache-control', 'public, max-age=300')
          return document()
        })
  },
  {
    fastify: '5.x',
    name: 'routes/well-known',
    dependencies: ['operations/env', 'oauth/mode', 'oauth/errors', 'oauth/open-cors']
  }
)
