import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { asWritten, holderOf } from '../../src/base/holders.ts'
import type { View } from '../../src/catalog/policy/view.ts'
import { abandonment } from '../../src/edge/answers/abandonment.ts'
import type { Connections } from '../../src/edge/connections.ts'
import { answer } from '../../src/protocol/eras/dispatch.ts'
import { refusalOf } from '../../src/protocol/eras/refusal-name.ts'
import type { Exchange } from '../../src/protocol/exchange/exchange.ts'
import { exchangeOf } from '../../src/protocol/exchange/exchange-of.ts'
import type { Answer } from '../../src/protocol/messages/answer.ts'
import { sessionNotFound } from '../../src/protocol/messages/caller-refusals.ts'
import { idOf } from '../../src/protocol/messages/jsonrpc.ts'
import { failureText, Refusal } from '../../src/protocol/messages/refusal.ts'
import { unnegotiated } from '../../src/protocol/messages/versions.ts'
import { type Accepted, readAccept } from '../../src/protocol/transport/accept.ts'
import { EventStream, eventOf } from '../../src/protocol/transport/event-stream.ts'
import { checkSpelling, narrow, outputOf } from '../../src/protocol/transport/narrowing.ts'
import { refuseTwice } from '../../src/protocol/transport/sent-once.ts'
import { principalAt, principalOf, sameCredential } from '../../src/session/credential.ts'
import type { LiveSession } from '../../src/session/store.ts'
import { readTrace } from '../../src/tracing/context.ts'

const header = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/**
 * Reads a header that restricts the request.
 * @throws Refusal 400 if the header occurs twice
 */
function narrowing({ headers, raw }: FastifyRequest, name: string): string | undefined {
  if (headers[name] === undefined) return undefined
  refuseTwice(raw.rawHeaders, name)
  return header(headers[name])
}

/** What is offered to a request: what the service offers at present, restricted by the request's headers. */
const viewFor = (request: FastifyRequest, offered: View): View =>
  narrow(
    offered,
    narrowing(request, 'x-forge-toolsets'),
    narrowing(request, 'x-forge-readonly'),
    narrowing(request, 'x-forge-tool-surface')
  )

/** The headers of a request that describe the message in its body. */
const saidOfMessage = ({ headers }: FastifyRequest): Exchange['headers'] => ({
  version: header(headers['mcp-protocol-version']),
  method: header(headers['mcp-method']),
  name: header(headers['mcp-name']),
  param: name => header(headers[`mcp-param-${name.toLowerCase()}`])
})

/** Lets an answer be made in parts, as fast as its connection takes them. */
const partsFor = (connections: Connections, { raw }: FastifyReply): Exchange['parts'] => ({
  next: () => connections.nextPart(raw),
  made: chars => connections.partMade(raw, chars),
  whole: () => connections.wholeAnswer(raw)
})

/**
 * The formats of the answer that a request accepts.
 * @throws Refusal 406 if the request accepts none that is served
 */
function acceptedBy({ headers }: FastifyRequest): Accepted {
  const accepted = readAccept(headers.accept)
  if (!accepted.json && !accepted.events)
    throw new Refusal(406, 'Accept must allow application/json or text/event-stream.')
  return accepted
}

/**
 * POST and DELETE /mcp: the session around a message, and the choice between JSON and an event stream. The MCP protocol
 * itself is in src/protocol/. The plugin needs `request.caller`, so it cannot be registered outside the guarded scope.
 */
export default fp(
  async fastify => {
    const { mcp, metrics, sessions } = fastify

    fastify.post('/mcp', async (request, reply) => {
      const post = new Post(fastify, request, reply)
      metrics.processed.count()
      // A write continues when its caller has gone, and counts until it is done.
      const done = request.work?.begin()
      try {
        return post.answer(await answer(request.body, post.exchange, mcp))
      } catch (error) {
        return post.fail(error)
      } finally {
        done?.()
      }
    })

    fastify.delete('/mcp', async (request, reply) => {
      const { key, credential } = endedBy(request)
      metrics.processed.count()
      sessions.end(key, holderOf(request.ip))
      mcp.questions.endOf(key)
      request.log.debug(
        { requestId: request.id, principal: principalOf(credential), address: asWritten(request.ip) },
        'session ended'
      )
      return reply.code(204).send()
    })
  },
  {
    fastify: '5.x',
    name: 'routes/mcp',
    dependencies: [
      'operations/metrics',
      'mcp/bearer-guard',
      'mcp/call-session',
      'edge/connections',
      'forges/network',
      'sessions/tried-tokens',
      'sessions/store',
      'mcp/service',
      'mcp/json-body',
      'mcp/json-rpc-errors',
      'operations/refusal-log',
      'features/tool-registry'
    ],
    decorators: { request: ['caller'] }
  }
)

/** A message that came by POST, until its answer is sent: as one body, or as the end of an event stream. */
class Post {
  readonly exchange: Exchange
  readonly #fastify: FastifyInstance
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #accepted: Accepted
  readonly #live: LiveSession | undefined
  /** Set once a message is sent before the answer: from then on, the answer is the end of an event stream. */
  #events: EventStream | undefined

  /** @throws Refusal if the request says what cannot be served, or if there is no room for its session */
  constructor(fastify: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    this.#fastify = fastify
    this.#request = request
    this.#reply = reply
    this.#accepted = acceptedBy(request)
    checkSpelling(request.headers, fastify.apiUrls.dynamic)
    const { session, live, resumed, warnings } = fastify.callSession(request)
    this.#live = live
    const { ip } = request
    this.exchange = exchangeOf(
      {
        session,
        view: viewFor(request, fastify.baseView()),
        resumed,
        output: outputOf(narrowing(request, 'x-forge-output')),
        headers: saidOfMessage(request),
        isStranger: () => fastify.triedTokens?.wasTaken(principalAt(session)) === false,
        from: ip,
        holder: holderOf(ip),
        bodyBytes: request.work?.bodyBytes ?? 0,
        sessionKey: live && clientOf(live),
        storedAs: live?.key,
        // All clients that have one credential and make no handshake share a session.
        shared: session.version === unnegotiated,
        warnings,
        requestId: request.id,
        trace: readTrace(request.headers.traceparent, request.headers.tracestate),
        streams: this.#accepted.streams || !this.#accepted.json,
        parts: partsFor(fastify.connections, reply)
      },
      abandonment(reply.raw),
      message => this.#tellBefore(message)
    )
  }

  /** Sends the answer. */
  answer(result: Answer): FastifyReply {
    if (result.era === 'legacy') this.#carry()
    else this.#request.carried = undefined
    if (this.#events === undefined) return send(this.#reply, result, this.#accepted)
    if (this.#request.carried !== undefined) this.#fastify.sessions.carry(this.#request.carried)
    tell(this.#request, 200, result)
    return this.#end(this.#events, result.text)
  }

  /**
   * Sends a failure as the answer.
   * @throws the failure if no event stream has begun: then it has a status of its own
   */
  fail(error: unknown): FastifyReply {
    if (this.#events === undefined) throw error
    const { id, body } = this.#request
    this.#fastify.mcp.onFailure(error, id)
    return this.#end(this.#events, failureText(error, idOf(body), id))
  }

  #tellBefore(message: string): void {
    if (this.#events === undefined) {
      // Fastify would report a stream that begins after the caller has gone as an error of this service.
      if (this.#reply.raw.destroyed) return
      this.#carry()
      this.#events = new EventStream()
      this.#reply.headers(EventStream.headers).send(this.#events.body)
    }
    this.#events.notify(message)
  }

  #end(stream: EventStream, text: string | undefined): FastifyReply {
    this.#fastify.connections.answer(this.#reply.raw, stream.end(text))
    return this.#reply
  }

  /** Makes the session's id that is sent with the answer that of the session as the message left it. */
  #carry(): void {
    const { session } = this.exchange
    if (this.#live !== undefined && session !== this.#live)
      this.#request.carried = { ...this.#live, ...session }
  }
}

/**
 * The client of a session. A guest has an identity of its own, so that it neither answers questions nor cancels calls
 * of the session's holder.
 */
const clientOf = ({ key, credential, isGuests }: LiveSession): string =>
  isGuests ? `${key} ${principalOf(credential)}` : key

/**
 * The session that a DELETE ends.
 * @throws Refusal 400 if the request names no session, and 404 if its caller has no such session
 */
function endedBy({ caller, headers }: FastifyRequest): LiveSession {
  const { session, credential, lost } = caller
  if (headers['mcp-session-id'] === undefined)
    throw new Refusal(400, 'DELETE needs the Mcp-Session-Id header: it names the session that is to end.', {
      hint: 'DELETE has no Mcp-Session-Id.'
    })
  // A DELETE with another credential ends nothing, even if calls with that credential could take the session over: the
  // id may be meant for another session.
  if (session === undefined) throw sessionNotFound(lost)
  if (!sameCredential(credential, session.credential)) throw sessionNotFound('another')
  return session
}

/** Logs an answer that is a refusal. */
function tell(request: FastifyRequest, status: number, answer: Answer): void {
  const refusal = refusalOf(answer, status)
  if (refusal === undefined) return
  request.server.refused(request, status, refusal.reason, refusal.hint, refusal.message)
}

function send(reply: FastifyReply, answer: Answer, { json }: Accepted): FastifyReply {
  const { status, text } = answer
  tell(reply.request, status, answer)
  reply.code(status)
  if (text === undefined) return reply.send()
  if (json) return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  return reply.headers(EventStream.headers).send(eventOf(text))
}
