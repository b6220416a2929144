import Fastify from 'fastify'
import { Agent, request } from 'undici'

/* What the server is measured against: Fastify and undici, and nothing between them. */

const forge = process.argv[2]!
const dispatcher = new Agent({ connections: 64 })
const fastify = Fastify()

fastify.post('/mcp', async ({ headers }, reply) => {
  const { statusCode, body } = await request(`${forge}/api/v4/projects/8/issues/6`, {
    dispatcher,
    headers: { accept: 'application/json', 'private-token': String(headers['private-token']) }
  })
  reply.code(statusCode).header('content-type', 'application/json; charset=utf-8')
  return reply.send(await body.text())
})

process.stdout.write(`Server listening at ${await fastify.listen({ host: '127.0.0.1', port: 0 })}\n`)
process.once('SIGTERM', () => process.exit())
