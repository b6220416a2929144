import { type Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { every } from '../../src/base/every.ts'
import { free } from '../../src/base/freed.ts'
import { holderOf } from '../../src/base/holders.ts'
import { Bodies, type BodyLoss } from '../../src/edge/requests/bodies.ts'
import { headBytes } from '../../src/edge/requests/request-head.ts'
import { AtWork, bodyWorkLimits, REQUEST_COST, requestWorkLimits } from '../../src/fairness/at-work.ts'
import { Work } from '../../src/fairness/work.ts'
import { callerGone, crumbledBody, slowBody } from '../../src/protocol/messages/body-refusals.ts'
import { overCapacity } from '../../src/protocol/messages/limit-refusals.ts'
import { principalOf } from '../../src/session/credential.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * What counts for the sender of the request until it is answered. Code that continues after the caller has gone
     * must report that (`begin`).
     */
    work: Work | undefined
    /** The memory of the request's body, in bytes, set by the code that reads the body. */
    bodyWeight: number
  }
}

/** Bodies with an announced length up to this are not counted while they are read: calls are hardly ever larger. */
const SMALL_BYTES = 2048
/**
 * Nor are bodies counted that take no more memory than this once they are read: every request is counted with as much.
 */
const SMALL_WEIGHT = 8 * 1024

const SWEEP_MS = 1_000

const reached = (what: string) => overCapacity(`Server capacity reached: ${what}.`)
const losses = {
  caller: () => reached('too many large bodies of this caller are being read'),
  address: () => reached('too many large bodies of this address are being read'),
  slow: slowBody,
  crumbs: crumbledBody
} satisfies Record<BodyLoss, () => Error>

/**
 * Bounds the memory of bodies that are being read in its scope: anybody with a made-up token may send a body, as slowly
 * as they like. The bytes that have arrived count for the caller's address and credential, until the body is processed
 * and answered. Small bodies count with their requests, which count in the same way for the address.
 */
export default fp(
  async fastify => {
    const { bodyLimit = 0 } = fastify.initialConfig
    const budget = new BodyBudget(fastify)
    every(SWEEP_MS, fastify, () => budget.sweep())

    fastify.decorateRequest('work')
    fastify.decorateRequest('bodyWeight', 0)

    fastify.addHook('preParsing', (request, reply, payload, done) => {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      const announced = Number(length ?? 0)
      // Fastify refuses larger bodies without reading them.
      const counts = encoding !== undefined || (announced > SMALL_BYTES && announced <= bodyLimit)
      done(null, counts ? budget.metered(request, reply, payload as Readable) : payload)
    })
    // By then the body is read, and it is known how much memory it takes.
    fastify.addHook('preValidation', (request, reply, done) => {
      const more = request.bodyWeight - (request.work?.bodyBytes ?? SMALL_WEIGHT)
      const refusal = more > 0 ? budget.keepBody(request, reply, more) : undefined
      done(refusal ?? budget.keepRequest(request, reply))
    })
  },
  { fastify: '5.x', name: 'edge/body-budget', dependencies: ['edge/at-work', 'edge/connections'] }
)

/** The memory of bodies and requests, from their first bytes until they are answered. */
class BodyBudget {
  readonly #connections: FastifyInstance['connections']
  readonly #bodies = new Bodies(() => performance.now())
  readonly #bodyWork: AtWork
  readonly #requestWork: AtWork

  constructor({ atWork, connections }: FastifyInstance) {
    this.#connections = connections
    this.#bodyWork = new AtWork(bodyWorkLimits, { whole: atWork })
    this.#requestWork = new AtWork(requestWorkLimits, { whole: atWork, cost: REQUEST_COST })
  }

  sweep(): void {
    this.#bodies.sweep()
  }

  /** Counts a body that is read: while it arrives, and from then on with its request. */
  metered(request: FastifyRequest, reply: FastifyReply, payload: Readable): Readable {
    this.#connections.bodyCounted(reply.raw)
    const body = this.#bodies.begin(senderOf(request), why => meter.destroy(losses[why]()))
    let size = 0
    const pieces: Buffer[] = []
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        size += chunk.length
        pieces.push(chunk)
        body.add(chunk.length)
        if (!meter.destroyed) next(null, chunk)
      },
      flush: next => next(this.keepBody(request, reply, size))
    })
    // After the answer nothing reads the body or listens for errors: an error must then end only this body.
    meter.on('error', () => {})
    reply.raw.once('finish', () => meter.destroy())
    meter.on('close', () => {
      body.end()
      // By then Fastify has made a body of them, or the body is given up.
      pieces.forEach(free)
      // Data after a refusal is discarded, so that the connection can be reused.
      payload.unpipe(meter).resume()
    })
    payload.once('close', () => {
      if (!meter.writableEnded) meter.destroy(callerGone())
    })
    return payload.pipe(meter)
  }

  /** @returns the refusal if there is no room */
  keepBody(request: FastifyRequest, reply: FastifyReply, bytes: number): Error | undefined {
    const sender = senderOf(request)
    const give = this.#bodyWork.take(sender, bytes)
    if (give === undefined)
      return reached(`calls ${this.#bodyWork.takenBy(sender, bytes)} with large bodies are under way`)
    workOf(request, reply).holdBody(bytes, give)
    return undefined
  }

  /** @returns the refusal if there is no room */
  keepRequest(request: FastifyRequest, reply: FastifyReply): Error | undefined {
    // A token has no limit of its own here, as it may have as many requests as an address: whole companies share one
    // token.
    const sender = { address: holderOf(request.ip), credential: undefined }
    const bytes = headBytes(request.raw)
    const give = this.#requestWork.take(sender, bytes)
    if (give === undefined)
      return reached(`too many calls ${this.#requestWork.takenBy(sender, bytes)} are under way`)
    workOf(request, reply).hold(give)
    return undefined
  }
}

/** What counts for the sender of a request, made when it is first needed. */
function workOf(request: FastifyRequest, reply: FastifyReply): Work {
  if (request.work !== undefined) return request.work
  const work = new Work()
  request.work = work
  reply.raw.once('close', () => work.answered())
  if (reply.raw.destroyed) work.answered()
  return work
}

const senderOf = ({ caller, ip }: FastifyRequest) => ({
  address: holderOf(ip),
  // The caller is missing where no credential is needed.
  credential: (caller as FastifyRequest['caller'] | undefined) && principalOf(caller.credential)
})
