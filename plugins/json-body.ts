import { errorCodes } from 'fastify'
import fp from 'fastify-plugin'
import { holderOf } from '../src/edge/address.ts'
import { PacedTurns } from '../src/edge/paced-turns.ts'
import { readMessage } from '../src/protocol/read-message.ts'
import { callerGone } from '../src/protocol/refusal.ts'

/** Reading this much takes half a millisecond or so: what is larger is paced by the address that sent it. */
const LARGE_CHARS = 64 * 1024

/**
 * A POST has a body of application/json and nothing else: Fastify's text/plain parser would let any web page
 * post without a preflight. What comes with another method is not looked at: clients put their standard headers on a
 * DELETE too.
 */
export default fp(
  async fastify => {
    fastify.removeAllContentTypeParsers()
    const paced = new PacedTurns()
    fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
      if (request.method !== 'POST') return done(null)
      // A body that waits is held, also when its caller has gone.
      const isRead = request.keptBody?.work()
      const read = () => {
        isRead?.()
        // Whoever has gone meanwhile costs nothing more.
        if (request.raw.socket.destroyed) return done(callerGone())
        try {
          return done(null, readMessage(body))
        } catch (error) {
          return done(error as Error)
        }
      }
      if (body.length < LARGE_CHARS) read()
      else paced.run(holderOf(request.ip), read)
    })
    fastify.addContentTypeParser('*', (request, payload, done) => {
      payload.resume()
      done(request.method === 'POST' ? new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE() : null)
    })
  },
  { fastify: '5.x', name: 'json-body', dependencies: ['body-budget'] }
)
