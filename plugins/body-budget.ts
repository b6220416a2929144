import { type Readable, Transform } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { overCapacity } from '../src/protocol/refusal.ts'

/** Up to this a body is not counted: calls are hardly ever larger. */
const SMALL_BYTES = 64 * 1024

/** What larger bodies that are being read may take together. */
const BUDGET_BYTES = 64 * 1024 * 1024

const noRoom = () => overCapacity('Server capacity reached: too many large bodies are being read.')

/**
 * Bounds the memory of bodies that are being read: any made-up token may send one, as slowly as it likes. A large
 * body counts for what it announces, or, when it announces nothing, for the most it may be; while there is no room
 * it is refused, unread. Small ones cost a comparison.
 */
export default fp(
  async fastify => {
    const { bodyLimit = 0 } = fastify.initialConfig
    let held = 0

    /** Until the body is read or its connection is gone. */
    const take = ({ raw }: FastifyRequest, bytes: number): boolean => {
      if (held + bytes > BUDGET_BYTES) return false
      // Closed already, so nothing would give them back.
      if (raw.destroyed) return true
      held += bytes
      raw.once('close', () => {
        held -= bytes
      })
      return true
    }

    /** A body of unknown size: small until more than that has come. */
    const metered = (request: FastifyRequest, payload: Readable): Readable => {
      let received = 0
      let counted = false
      const meter = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          received += chunk.length
          if (counted || received <= SMALL_BYTES) return next(null, chunk)
          counted = take(request, bodyLimit)
          return counted ? next(null, chunk) : next(noRoom())
        }
      })
      // What comes after a refusal is dropped, so that the connection can be used again.
      meter.on('error', () => payload.resume())
      payload.once('close', () => {
        if (!meter.writableEnded) meter.destroy(new Error('The body ended early.'))
      })
      return payload.pipe(meter)
    }

    fastify.addHook('preParsing', (request, _reply, payload, done) => {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      if (encoding !== undefined) return done(null, metered(request, payload as Readable))
      const announced = Number(length ?? 0)
      // What is over the limit is refused by Fastify, unread too.
      if (announced > SMALL_BYTES && announced <= bodyLimit && !take(request, announced))
        return done(noRoom())
      return done(null, payload)
    })
  },
  { fastify: '5.x', name: 'body-budget', dependencies: ['json-rpc-errors'] }
)
