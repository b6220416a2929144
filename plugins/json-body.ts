import { errorCodes } from 'fastify'
import fp from 'fastify-plugin'
import { shapeFault } from '../src/json-shape.ts'
import { bodyShape, misshapen, unparsable } from '../src/protocol/refusal.ts'

/**
 * A POST has a body of application/json and nothing else: Fastify's text/plain parser would let any web page
 * post without a preflight. Its shape is checked on the text, before anything looks at each value. What comes with
 * another method is not looked at: clients put their standard headers on a DELETE too.
 */
export default fp(
  async fastify => {
    const parse = fastify.getDefaultJsonParser('error', 'error')
    fastify.removeAllContentTypeParsers()
    fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
      if (request.method !== 'POST') return done(null)
      const fault = shapeFault(body, bodyShape)
      if (fault !== undefined) return done(misshapen(fault))
      return parse(request, body, (error, value) =>
        error === null ? done(null, value) : done(unparsable(error.message))
      )
    })
    fastify.addContentTypeParser('*', (request, payload, done) => {
      payload.resume()
      done(request.method === 'POST' ? new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE() : null)
    })
  },
  { fastify: '5.x', name: 'json-body' }
)
