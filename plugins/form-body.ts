import fp from 'fastify-plugin'
import { readParameters } from '../src/oauth/parameters.ts'

/** Accepts HTML forms beside JSON, and gives them as Parameters; nothing else is read. */
export default fp(
  async fastify => {
    fastify.removeContentTypeParser('text/plain')
    fastify.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: unknown, body: string) => readParameters(body)
    )
  },
  { fastify: '5.x', name: 'form-body' }
)
