import type { Socket } from 'node:net'
import { errorCodes, type FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Cancellation } from '../../src/base/cancellation.ts'
import { free } from '../../src/base/freed.ts'
import { holderOf } from '../../src/base/holders.ts'
import { callerGone, encodedBody } from '../../src/protocol/messages/body-refusals.ts'
import { LargeMessages, readSmallText } from '../../src/protocol/messages/large-messages.ts'
import type { WeighedMessage } from '../../src/protocol/messages/message-text.ts'
import { messageOf, messageTextOf } from '../../src/protocol/messages/read-message.ts'

type Done = (error: Error | null, weighed?: WeighedMessage) => void

/**
 * Accepts only application/json as the body of a POST: Fastify's text/plain parser would let any web page post without
 * a preflight. The type is not checked for other methods, because clients put their standard headers on a DELETE, too.
 * Large bodies are parsed outside the event loop, and the addresses that sent them take turns.
 */
export default fp(
  async fastify => {
    fastify.removeAllContentTypeParsers()
    const large = new LargeMessages()
    fastify.addHook('onClose', () => large.close())
    fastify.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      (request, body: Buffer, parsed) => {
        if (request.method !== 'POST') return parsed(null)
        const encoding = request.headers['content-encoding']
        if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return parsed(encodedBody())
        const read = () =>
          readBody(body, request, large, (error, weighed) => {
            request.bodyWeight = weighed?.weight ?? 0
            parsed(error, weighed?.message)
          })
        const turn = fastify.connections.bodyTurn(request.raw)
        if (turn === undefined) read()
        else void turn.then(read)
      }
    )
    fastify.addContentTypeParser('*', (request, payload, done) => {
      payload.resume()
      done(request.method === 'POST' ? new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE() : null)
    })
  },
  { fastify: '5.x', name: 'mcp/json-body', dependencies: ['edge/body-budget', 'edge/connections'] }
)

/** Reads the message in a body: a small one at once. */
function readBody(body: Buffer, request: FastifyRequest, large: LargeMessages, done: Done): void {
  try {
    if (request.raw.socket.destroyed) throw callerGone()
    const text = messageTextOf(body)
    free(body)
    const small = readSmallText(text)
    if (small === undefined) readLarge(text, request, large, done)
    else done(null, messageOf(small))
  } catch (error) {
    done(error as Error)
  }
}

/** Reads a large message outside the event loop, and continues in a turn of its caller. */
function readLarge(text: string, request: FastifyRequest, large: LargeMessages, done: Done): void {
  const { signal, stay } = departure(request.raw.socket)
  // A waiting body stays in memory, even if its caller has gone.
  const isRead = request.work?.begin()
  const over: Done = (error, weighed) => {
    stay()
    isRead?.()
    done(error, weighed)
  }
  const begin = async (weighed: WeighedMessage) => {
    await request.server.connections.workTurn(request.raw)
    if (request.raw.socket.destroyed) over(callerGone())
    else over(null, weighed)
  }
  large.read(text, { caller: holderOf(request.ip), signal }).then(begin, over)
}

/**
 * @returns a signal that aborts when the caller goes, so that a waiting body costs nothing more, and `stay`, after
 * which the signal no longer aborts
 */
function departure(socket: Socket) {
  const signal = new Cancellation()
  const leave = () => signal.abort()
  socket.once('close', leave)
  if (socket.destroyed) leave()
  return { signal, stay: () => socket.off('close', leave) }
}
