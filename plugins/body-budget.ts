import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { holderOf } from '../src/edge/address.ts'
import { Bodies, type BodyLoss } from '../src/edge/bodies.ts'
import { BodiesAtWork, KeptBody } from '../src/edge/bodies-at-work.ts'
import { callerGone, crumbledBody, overCapacity, slowBody } from '../src/protocol/refusal.ts'
import { principalOf } from '../src/session/credential.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A body that is large enough to count, or has so many values. Whoever works with it on after its caller has gone says so. */
    keptBody: KeptBody | undefined
    /** What its body takes of memory, in bytes, as whoever reads it says. */
    bodyWeight: number
  }
}

/** Up to this an announced body is not counted: calls are hardly ever larger. */
const SMALL_BYTES = 2048
/** Nor is one that takes no more than this of memory once it is read: as much as is counted for any request. */
const SMALL_WEIGHT = 8 * 1024

const SWEEP_MS = 1_000

const refusals = {
  room: () => overCapacity('Server capacity reached: too many large bodies of this caller are being read.'),
  work: () => overCapacity('Server capacity reached: calls of this caller with large bodies are under way.'),
  slow: slowBody,
  crumbs: crumbledBody
} satisfies Record<BodyLoss | 'work', () => Error>

/**
 * Bounds the memory of bodies that are being read in its scope: any made-up token may send one, as slowly as it
 * likes. What has come counts for the caller's address and credential, and on until it is worked with and answered;
 * small ones cost a comparison.
 */
export default fp(
  async fastify => {
    const { bodyLimit = 0 } = fastify.initialConfig
    const bodies = new Bodies(() => performance.now())
    const atWork = new BodiesAtWork()
    const sweeper = setInterval(() => bodies.sweep(), SWEEP_MS).unref()
    fastify.addHook('onClose', () => clearInterval(sweeper))

    fastify.decorateRequest('keptBody')
    fastify.decorateRequest('bodyWeight', 0)

    /** @returns false where there is no room */
    const keep = (request: FastifyRequest, reply: FastifyReply, bytes: number): boolean => {
      const give = atWork.take(senderOf(request), bytes)
      if (give === undefined) return false
      if (request.keptBody !== undefined) request.keptBody.grow(bytes, give)
      else {
        const kept = new KeptBody(bytes, give)
        request.keptBody = kept
        reply.raw.once('close', () => kept.answered())
        if (reply.raw.destroyed) kept.answered()
      }
      return true
    }

    const metered = (request: FastifyRequest, reply: FastifyReply, payload: Readable): Readable => {
      const sender = senderOf(request)
      fastify.connections.bodyCounted(reply.raw)
      const body = bodies.begin(sender, why => meter.destroy(refusals[why]()))
      let size = 0
      const meter = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          size += chunk.length
          body.add(chunk.length)
          if (!meter.destroyed) next(null, chunk)
        },
        flush(next) {
          next(keep(request, reply, size) ? null : refusals.work())
        }
      })
      // Whoever has answered reads it no more, nor listens: what is lost then must end nothing but this body.
      meter.on('error', () => {})
      reply.raw.once('finish', () => meter.destroy())
      meter.on('close', () => {
        body.end()
        // What comes after a refusal is dropped, so that the connection can be used again.
        payload.unpipe(meter).resume()
      })
      payload.once('close', () => {
        if (!meter.writableEnded) meter.destroy(callerGone())
      })
      return payload.pipe(meter)
    }

    fastify.addHook('preParsing', (request, reply, payload, done) => {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      const announced = Number(length ?? 0)
      // What is over the limit is refused by Fastify, unread.
      const counts = encoding !== undefined || (announced > SMALL_BYTES && announced <= bodyLimit)
      done(null, counts ? metered(request, reply, payload as Readable) : payload)
    })
    // By then it is read, and known what it takes.
    fastify.addHook('preValidation', (request, reply, done) => {
      const more = request.bodyWeight - (request.keptBody?.bytes ?? SMALL_WEIGHT)
      done(more > 0 && !keep(request, reply, more) ? refusals.work() : undefined)
    })
  },
  { fastify: '5.x', name: 'body-budget', dependencies: ['connections'] }
)

const senderOf = ({ caller, ip }: FastifyRequest) => ({
  address: holderOf(ip),
  // Where no credential is needed there is none.
  credential: (caller as FastifyRequest['caller'] | undefined) && principalOf(caller.credential)
})
