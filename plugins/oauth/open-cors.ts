import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

const headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization, MCP-Protocol-Version',
  'access-control-expose-headers': 'Retry-After, X-Request-Id',
  'access-control-max-age': '86400'
}

/**
 * Lets pages of every origin use the routes of its scope: clients that run in a browser log in, too, and these routes
 * use no cookie. It does not use @fastify/cors, which handles preflights only once for the whole server.
 */
export default fp(
  async fastify => {
    const urls = new Set<string>()
    const answer = async (_request: unknown, reply: FastifyReply) => reply.code(204).send()
    fastify.addHook('onRequest', async (_request, reply) => {
      reply.headers(headers)
    })
    fastify.addHook('onRoute', ({ url, method }) => {
      if (method === 'OPTIONS' || urls.has(url)) return
      urls.add(url)
      // Answers before a body is read.
      fastify.options(url, { onRequest: answer }, answer)
    })
  },
  { fastify: '5.x', name: 'oauth/open-cors' }
)
