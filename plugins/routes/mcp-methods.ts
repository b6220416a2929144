import { METHODS } from 'node:http'
import fp from 'fastify-plugin'
import { Refusal } from '../../src/protocol/messages/refusal.ts'

const served = new Set(['POST', 'DELETE'])

/**
 * Refuses all methods that /mcp does not serve. GET would open a stream for messages outside calls, which this service
 * does not send. MCP requires 405 in that case, and clients read it as "not offered".
 */
export default fp(
  async fastify => {
    for (const method of METHODS)
      if (!fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method)
    fastify.route({
      method: METHODS.filter(method => !served.has(method)),
      url: '/mcp',
      // Before the body is read: it is not needed.
      onRequest: (_request, _reply, done) => done(notAllowed()),
      handler: () => {
        throw notAllowed()
      }
    })
  },
  { fastify: '5.x', name: 'routes/mcp-methods', dependencies: ['mcp/json-rpc-errors'] }
)

const notAllowed = () =>
  new Refusal(
    405,
    'Method not allowed: use POST, whose answer may be a stream, or DELETE to end a session; GET / is the page for people.',
    {
      headers: { allow: [...served].join(', ') }
    }
  )
