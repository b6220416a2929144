import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type BodyKind, isOfType } from '../../src/oauth/endpoints/body-kinds.ts'

/**
 * Accepts bodies of one media type in its scope. Others are refused before they are counted or read: any page can make
 * browsers send text/plain without a preflight, and could use up the limit of their address.
 */
export default fp<BodyKind>(
  async (fastify, { type, limit, read }) => {
    fastify.removeAllContentTypeParsers()
    fastify.addContentTypeParser(
      type,
      { parseAs: 'string', bodyLimit: limit },
      async ({ raw }: FastifyRequest, body: string) => {
        await fastify.connections.bodyTurn(raw)
        return read(body)
      }
    )
    fastify.addHook('onRequest', async ({ method, headers }) => {
      if (method === 'POST' && !isOfType(headers['content-type'], type))
        throw Object.assign(new Error(`Content-Type must be ${type}.`), { statusCode: 415 })
    })
  },
  { fastify: '5.x', name: 'oauth/login-body', dependencies: ['edge/connections', 'oauth/errors'] }
)
