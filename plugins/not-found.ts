import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { unkept } from '../src/edge/unkept.ts'

const nothing = 'Nothing is here. MCP is served at /mcp, by POST; GET / says what else there is.'

/** Where clients look for a login when they got a 401; of what is answered there some show nothing but this to people. */
const loginPath = /^\/(?:register|authorize|token|\.well-known\/(?:oauth|openid)-[\w/-]+)(?:$|\?)/
const noLogin =
  'No login is offered here: the client has to send a token of the forge in the header Private-Token. Logins are switched on by FORGE_MCP_OAUTH=true. MCP is served at /mcp, by POST.'

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
    const answer = (request: FastifyRequest, reply: FastifyReply) => {
      const { url } = request
      reply.headers(unkept)
      const allow = served.get(url.split('?', 1)[0]!)?.join(', ')
      if (allow !== undefined) {
        fastify.refused(request, 405, 'method')
        return reply
          .header('allow', allow)
          .code(405)
          .send(refusal(405, `Use ${allow} here.`))
      }
      fastify.refused(request, 404, 'path')
      const isLogin = !fastify.config.FORGE_MCP_OAUTH && loginPath.test(url)
      return reply.code(404).send(refusal(404, isLogin ? noLogin : nothing))
    }
    await fastify.register(async nowhere => {
      // Before the body is read: nobody wants it, and nothing bounds what is kept of bodies here.
      nowhere.addHook('onRequest', (request, reply) => void answer(request, reply))
      nowhere.setNotFoundHandler(answer)
    })
  },
  { fastify: '5.x', name: 'not-found', dependencies: ['env', 'refusal-log'] }
)

const refusal = (statusCode: 404 | 405, message: string) => ({
  statusCode,
  error: STATUS_CODES[statusCode],
  message
})
