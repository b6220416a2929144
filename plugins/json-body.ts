import { errorCodes } from 'fastify'
import fp from 'fastify-plugin'
import { exceedsDepth, MAX_DEPTH } from '../src/protocol/depth.ts'
import { code } from '../src/protocol/jsonrpc.ts'
import { Refusal } from '../src/protocol/refusal.ts'

/**
 * A POST has a body of application/json and nothing else: Fastify's text/plain parser would let any web page
 * post without a preflight. Depth is checked on the text, before anything recursive sees the value. What comes
 * with another method is not looked at: clients put their standard headers on a DELETE too.
 */
export default fp(
  async fastify => {
    const parse = fastify.getDefaultJsonParser('error', 'error')
    fastify.removeAllContentTypeParsers()
    fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
      if (request.method !== 'POST') return done(null)
      if (exceedsDepth(body))
        return done(
          new Refusal(400, `Parse error: the body is nested deeper than ${MAX_DEPTH} levels.`, {
            code: code.parse
          })
        )
      return parse(request, body, (error, value) =>
        error === null
          ? done(null, value)
          : done(new Refusal(400, `Parse error: ${error.message}`, { code: code.parse }))
      )
    })
    fastify.addContentTypeParser('*', (request, payload, done) => {
      payload.resume()
      done(request.method === 'POST' ? new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE() : null)
    })
  },
  { fastify: '5.x', name: 'json-body' }
)
