import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { noStore } from '../../src/edge/answers/no-store.ts'
import { publicAddress, publicBase } from '../../src/server-address.ts'

/** Where clients look for a login after a 401. */
const loginPath = /^\/(?:register|authorize|token|\.well-known\/(?:oauth|openid)-[\w/-]+)(?:$|\?)/
const noLogin =
  'No login is offered here: the client has to send a token of the forge in the header Private-Token. None came, or the one that came was refused: the answer to the request before says why (curl shows it). Logins are switched on by FORGE_MCP_OAUTH=true.'

/** Pages of any origin may read these answers: they are the same for everybody, and depend on no cookie. */
const headers = { ...noStore, 'access-control-allow-origin': '*' }

/**
 * Answers requests to unknown paths, such as MCP at / or /sse, and requests with a method that is not served there. The
 * answer says where or how to call instead, and repeats nothing of the request.
 */
export default fp(
  async fastify => {
    const base = publicBase(fastify.config)
    const prefix = base === undefined ? '' : base.slice(new URL(base).origin.length)
    const keptPrefix = `Nothing is served below ${prefix} here: the proxy in front has to take that off the path, so that ${prefix}/mcp comes as /mcp.`
    const mcpIsAt = `MCP is served at ${publicAddress(fastify.config, '/mcp')}, by POST`
    const nothing = `Nothing is here. ${mcpIsAt}; GET ${publicAddress(fastify.config, '/')} says what else there is.`
    const served = new Map<string, string[]>()
    fastify.addHook('onRoute', ({ url, method }) => {
      // A POST to / is an MCP request to the wrong path.
      if (url === '/') return
      served.set(url, [...(served.get(url) ?? []), ...[method].flat()])
    })
    const answer = (request: FastifyRequest, reply: FastifyReply) => {
      const { url } = request
      const path = url.split('?', 1)[0]!
      reply.headers(headers)
      const allow = served.get(path)?.join(', ')
      if (allow !== undefined) {
        fastify.refused(request, 405, 'method')
        return reply
          .header('allow', allow)
          .code(405)
          .send(refusal(405, `Use ${allow} here.`))
      }
      const hint = prefix !== '' && `${path}/`.startsWith(`${prefix}/`) ? keptPrefix : undefined
      fastify.refused(request, 404, 'path', hint)
      const isLogin = !fastify.config.FORGE_MCP_OAUTH && loginPath.test(url)
      const said = hint ?? (isLogin ? `${noLogin} ${mcpIsAt}.` : nothing)
      // Clients that look for a login show people only one field of the answer: the error description of OAuth (RFC
      // 6749, section 5.2).
      return reply.code(404).send({ ...refusal(404, said), ...(isLogin && { error_description: said }) })
    }
    await fastify.register(async nowhere => {
      // Before the body is read: the body is not needed, and the memory of bodies is not bounded here.
      nowhere.addHook('onRequest', (request, reply) => void answer(request, reply))
      nowhere.setNotFoundHandler(answer)
    })
  },
  { fastify: '5.x', name: 'edge/not-found', dependencies: ['operations/env', 'operations/refusal-log'] }
)

const refusal = (statusCode: 404 | 405, message: string) => ({
  statusCode,
  error: STATUS_CODES[statusCode],
  message
})
