import type { FastifyError } from 'fastify'
import fp from 'fastify-plugin'
import { noStore } from '../../src/edge/answers/no-store.ts'
import { Refusal } from '../../src/protocol/messages/refusal.ts'
import { readAccept } from '../../src/protocol/transport/accept.ts'
import { publicAddress } from '../../src/server-address.ts'

/** GET /: lists the paths, for a person who opens the address of the service. */
export default fp(
  async fastify => {
    const { config, oauth, mcp } = fastify
    const how =
      oauth !== undefined
        ? 'Clients log in at the forge by themselves, or send a token of it as Private-Token.'
        : config.REMOTE_AUTHORIZATION
          ? 'Send a token of the forge as Private-Token, or as Authorization: Bearer.'
          : 'Calls go out with a token of whoever runs this service.'
    fastify.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
      if (!(error instanceof Refusal)) return reply.send(error)
      fastify.refused(request, error.status, error.reason)
      return reply.code(error.status).type('text/plain; charset=utf-8').send(`${error.message}\n`)
    })
    fastify.get('/', async (request, reply) => {
      reply.type('text/plain; charset=utf-8').headers(noStore)
      // A client of the older HTTP+SSE transport. It shows people no text of an answer with status 200.
      const { json, events } = readAccept(request.headers.accept)
      if (events && !json) {
        fastify.refused(request, 404, 'path')
        return reply
          .code(404)
          .send(`No stream is here. MCP is served at ${publicAddress(config, '/mcp')}, by POST.\n`)
      }
      const at = (path: `/${string}`) => publicAddress(config, path, `http://${request.headers.host}`)
      return [
        `${mcp.info.title}: tools over a forge for AI agents, by the Model Context Protocol.`,
        '',
        `${at('/mcp')}      for MCP clients: streamable HTTP, by POST. ${how}`,
        `${at('/livez')}    answers while the process does.`,
        `${at('/readyz')}   answers 200 while this replica wants traffic.`,
        ''
      ].join('\n')
    })
  },
  {
    fastify: '5.x',
    name: 'routes/home',
    dependencies: ['operations/env', 'edge/host-guard', 'mcp/service', 'oauth/mode', 'operations/refusal-log']
  }
)
