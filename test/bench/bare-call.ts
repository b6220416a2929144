import Fastify from 'fastify'
import { Agent, request } from 'undici'

/* The least that answers a tools/call: Fastify, undici, and a record read and written as JSON in between. */

const forge = process.argv[2]!
const dispatcher = new Agent({ connections: 64 })
const fastify = Fastify()

fastify.post<{ Body: { id: number } }>('/mcp', async ({ headers, body: { id } }) => {
  const { body } = await request(`${forge}/api/v4/projects/8/issues/6`, {
    dispatcher,
    headers: { accept: 'application/json', 'private-token': String(headers['private-token']) }
  })
  const text = JSON.stringify(await body.json())
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }
})

process.stdout.write(`Server listening at ${await fastify.listen({ host: '127.0.0.1', port: 0 })}\n`)
process.once('SIGTERM', () => process.exit())
