import { STATUS_CODES } from 'node:http'
import fp from 'fastify-plugin'
import { unkept } from '../src/edge/unkept.ts'

/**
 * What is asked where nothing is, such as MCP at / or /sse, or by a method that is not served there: where or how it is
 * is said, and nothing of the request repeated.
 */
export default fp(
  async fastify => {
    const served = new Map<string, string[]>()
    fastify.addHook('onRoute', ({ url, method }) => {
      // What comes to / by POST is MCP gone astray.
      if (url === '/') return
      served.set(url, [...(served.get(url) ?? []), ...[method].flat()])
    })
    fastify.setNotFoundHandler(({ url }, reply) => {
      reply.headers(unkept)
      const allow = served.get(url.split('?', 1)[0]!)?.join(', ')
      if (allow !== undefined)
        return reply
          .header('allow', allow)
          .code(405)
          .send(refusal(405, `Use ${allow} here.`))
      return reply
        .code(404)
        .send(refusal(404, 'Nothing is here. MCP is served at /mcp, by POST; GET / says what else there is.'))
    })
  },
  { fastify: '5.x', name: 'not-found' }
)

const refusal = (statusCode: 404 | 405, message: string) => ({
  statusCode,
  error: STATUS_CODES[statusCode],
  message
})
