import { STATUS_CODES } from 'node:http'
import fp from 'fastify-plugin'
import { unkept } from '../src/edge/unkept.ts'

/** What is asked where nothing is, such as MCP at / or /sse: where it is is said, and nothing of the request repeated. */
export default fp(
  async fastify => {
    fastify.setNotFoundHandler((_request, reply) =>
      reply.code(404).headers(unkept).send({
        statusCode: 404,
        error: STATUS_CODES[404],
        message: 'Nothing is here. MCP is served at /mcp, by POST; GET / says what else there is.'
      })
    )
  },
  { fastify: '5.x', name: 'not-found' }
)
