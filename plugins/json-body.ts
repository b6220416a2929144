import { errorCodes } from 'fastify'
import fp from 'fastify-plugin'
import { readMessage } from '../src/protocol/read-message.ts'

/**
 * A POST has a body of application/json and nothing else: Fastify's text/plain parser would let any web page
 * post without a preflight. What comes with another method is not looked at: clients put their standard headers on a
 * DELETE too.
 */
export default fp(
  async fastify => {
    fastify.removeAllContentTypeParsers()
    fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
      if (request.method !== 'POST') return done(null)
      try {
        return done(null, readMessage(body))
      } catch (error) {
        return done(error as Error)
      }
    })
    fastify.addContentTypeParser('*', (request, payload, done) => {
      payload.resume()
      done(request.method === 'POST' ? new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE() : null)
    })
  },
  { fastify: '5.x', name: 'json-body' }
)
