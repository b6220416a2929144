import type { CancelSignal } from '../base/cancellation.ts'
import type { Credential } from '../session/credential.ts'
import { graphqlData, isSuccess, parseBody, type Reply } from './answers/answer.ts'
import { type AnsweredRequest, fromForge } from './answers/from-forge.ts'
import { isNamed, madeBy } from './answers/made.ts'
import { isRedirect, nextHop, withoutRest } from './answers/redirect.ts'
import type { StreamAnswer, StreamRequest } from './answers/stream.ts'
import type { ForgeAnswer, ForgeClient } from './client.ts'
import type { ForgeDispatch } from './connections/traced.ts'
import { ForgeError, Intercepted, OddAnswer } from './errors.ts'
import { readStream } from './forge-stream.ts'
import { type ApiBase, forgeBase, GRAPHQL_PATH, REST_PATH } from './hosts/url.ts'
import { KeptAnswers } from './kept-answers.ts'
import { multipart } from './multipart.ts'
import { refuseLongPath } from './place.ts'
import { JSON_TYPE } from './plain-headers.ts'
import { exchange } from './reading/exchange.ts'
import { isLargeBody } from './reading/large-requests.ts'
import type { Reader } from './reading/reader.ts'
import { refusedWith } from './refused.ts'
import type { ForgeRequest } from './request.ts'
import { Requester, type Sent } from './requester.ts'
import type { CallScope, Upstream } from './upstream.ts'

/**
 * Requests to one forge with one caller's credential. Exactly one credential header is sent, and only to the origin of
 * the configured base URL. For records, a redirect that leaves this origin is an error.
 */
export class CallerForgeClient implements ForgeClient {
  readonly #requester: Requester
  readonly #upstream: Upstream
  readonly #base: ApiBase
  readonly #kept: KeptAnswers
  /** Requests that change things, and may have reached the forge. */
  #writes = 0
  #status: number | undefined
  #created: unknown
  #served = false

  constructor(upstream: Upstream, credential: Credential, scope: CallScope = {}) {
    const requester = new Requester(upstream, credential, scope)
    this.#requester = requester
    this.#upstream = upstream
    this.#base = upstream.base
    const { signal, gone } = scope
    const ends = () => signal !== undefined || !this.wrote
    this.#kept = new KeptAnswers(upstream.reading, requester, signal ?? gone, ends)
  }

  get webUrl(): string {
    return forgeBase(this.#base.origin + this.#base.path)
  }

  get wrote(): boolean {
    return this.#writes > 0
  }

  get answered(): boolean {
    return this.#status !== undefined
  }

  get isOfJob(): boolean {
    return this.#requester.isOfJob
  }

  /** Requests that may have reached the forge. */
  get requests(): number {
    return this.#requester.requests
  }

  /** Milliseconds that requests waited for their turns. */
  get queuedMs(): number {
    return this.#requester.queuedMs
  }

  /** Whether the forge has answered anything but a refusal, which shows that it knows the credential. */
  get served(): boolean {
    return this.#served && this.#requester.proves
  }

  /** The status of the last answer. */
  get status(): number | undefined {
    return this.#status
  }

  /** The last record that the forge has created for the call. */
  get created(): unknown {
    return this.#created
  }

  send(request: ForgeRequest): Promise<ForgeAnswer> {
    const asked = this.#send(request)
    return request.method === 'GET' ? this.#kept.orLost(asked) : this.#kept.wroteOrLost(asked)
  }

  graphql(document: string, variables: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const asked = this.#graphql(document, variables)
    return isQuery(document) ? this.#kept.orLost(asked) : this.#kept.wroteOrLost(asked)
  }

  async #send(request: ForgeRequest): Promise<ForgeAnswer> {
    const reads = request.method === 'GET'
    const end = this.#requester.end()
    const path = this.#base.path + request.path
    let reply = await this.#exchange(request, path, reads, end)
    if (reads && isRedirect(reply.status)) reply = await this.#follow(request, reply, end)
    if (!isSuccess(reply.status))
      throw refusedWith(reply, reads ? request.template : undefined, this.#requester)
    this.#served = true
    this.#kept.weigh(reply)
    const size = reply.parsed?.size ?? reply.body.length
    const value = parseBody(reply)
    if (typeof value === 'string' && value.length > MAX_TEXT) throw new OddAnswer('a long text')
    if (reply.status === CREATED && !isNamed(request, value)) this.#created = value
    return { status: reply.status, headers: reply.headers, value, size }
  }

  async #graphql(
    document: string,
    variables: Readonly<Record<string, unknown>>
  ): Promise<Record<string, unknown>> {
    const reads = isQuery(document)
    const path = this.#base.graphqlPath
    const body = { query: document, variables }
    const request = { method: 'POST', path, template: GRAPHQL_PATH, body } as const
    const reply = await this.#exchange(request, path, reads, this.#requester.end()).catch(error => {
      throw error instanceof Intercepted ? notLetThrough(error) : error
    })
    if (reply.status === NOT_FOUND) throw notLetThrough(refusedWith(reply, GRAPHQL_PATH, this.#requester))
    if (reply.status !== 200) throw refusedWith(reply, GRAPHQL_PATH, this.#requester)
    const data = this.#told(() => graphqlData(reply, this.#requester.token))
    this.#kept.weigh(reply)
    this.#served = true
    if (!reads) this.#created = madeBy(data) ?? this.#created
    return data
  }

  async stream<T>(request: StreamRequest, read: (answer: StreamAnswer) => Promise<T>): Promise<T> {
    this.#kept.refuseLost()
    const reading = readStream(this.#requester, request, read, {
      stop: this.#kept.stop,
      lost: this.#kept.lost,
      onAnswer: (status, holder) => {
        this.#status = status
        this.#kept.streams(holder)
      },
      onServed: () => {
        this.#served = true
      },
      onKept: bytes => {
        if (bytes > 0) this.#kept.keep(bytes)
      }
    })
    return this.#kept.orLost(reading)
  }

  keep(size: number): void {
    this.#kept.keep(size)
  }

  paced<T>(work: () => T): T | Promise<T> {
    return this.#kept.paced(work)
  }

  waits<T>(wait: (signal: CancelSignal) => Promise<T>): Promise<T> {
    return this.#kept.orLost(wait(this.#kept.stop))
  }

  /** Ends the call, and gives back what it held. */
  release(): void {
    this.#kept.release()
  }

  /** Reads the value of a successful answer. If that fails, it reports the trouble, which the exchange has not done. */
  #told<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (error instanceof ForgeError) this.#upstream.guard.trouble(error, GRAPHQL_PATH)
      throw error
    }
  }

  /** Follows a redirect. The exchange has checked that it stays on the same host and is not a loop. */
  async #follow(request: ForgeRequest, redirect: Reply, end: number): Promise<Reply> {
    let at = this.#base.path + request.path
    let reply = redirect
    for (let hops = 0; isRedirect(reply.status); hops++) {
      const from = { origin: this.#base.origin, path: at }
      at = nextHop(from, reply.headers, hops).path
      reply = await this.#exchange(request, at, true, end, hops + 1)
    }
    return reply
  }

  /**
   * @param path where the request is sent: after a redirect, not its own path
   * @param hops number of redirects so far
   */
  #exchange(request: ForgeRequest, path: string, reads: boolean, end: number, hops = 0): Promise<Reply> {
    refuseLongPath(path)
    this.#kept.refuseLost()
    const { body, file } = request
    const send = (sent?: Sent) => this.#dispatch(request, sent, path, reads, end, hops)
    if (file !== undefined) return send(multipart(file))
    if (body === undefined) return send()
    const { reading } = this.#upstream
    const { caller, from } = this.#requester
    if (!isLargeBody(body)) return send({ contentType: JSON_TYPE, body: JSON.stringify(body) })
    return reading.leaving
      .write(body, { caller, from, signal: this.#kept.stop })
      .then(bytes => send({ contentType: JSON_TYPE, body: bytes }))
  }

  /** Sends a request, in its turn and with retries, and keeps the room that it takes until it is answered. */
  #dispatch(
    request: ForgeRequest,
    sent: Sent | undefined,
    path: string,
    reads: boolean,
    end: number,
    hops: number
  ): Promise<Reply> {
    const { guard } = this.#upstream
    const stop = reads ? this.#kept.stop : this.#requester.signal
    const keep = this.#requester.takeRoom(path, sent)
    const give = keep?.()
    const sending: Sending = {
      options: this.#requester.outgoing(request, sent, path, keep),
      asked: this.#requester.answered(request, path, hops),
      reader: this.#requester.reader(stop, request.unparsed ? this.#kept : undefined),
      reads,
      stop
    }
    const attempt = (deadlineMs: number) => this.#attempt(sending, deadlineMs)
    // As long as nothing was written, the caller need not learn the outcome, so the wait for the turn may end.
    const turn = this.wrote ? stop : this.#kept.stop
    const reply = guard.call(this.#requester.call(reads, end, turn, request.template), attempt)
    return give === undefined ? reply : reply.finally(give)
  }

  async #attempt({ options, asked, reader, reads, stop }: Sending, deadlineMs: number): Promise<Reply> {
    const { dispatcher } = this.#requester
    const bounds = { maxBytes: this.#upstream.limits.maxBytes, deadlineMs }
    const started = this.#requester.now()
    this.#requester.requests++
    const write = reads ? 0 : 1
    this.#writes += write
    try {
      const reply = await exchange(dispatcher, options, bounds, stop, reader, status => {
        this.#status = status
      })
      const answer = fromForge(reply, asked)
      return reads ? withoutRest(answer) : answer
    } catch (error) {
      if (error instanceof ForgeError && error.isUnsent) this.#writes -= write
      this.#requester.failed(error, started)
      throw error
    }
  }
}

/** A request that is sent once or, with retries, several times. */
interface Sending {
  readonly options: ForgeDispatch
  readonly asked: AnsweredRequest
  readonly reader: Reader
  readonly reads: boolean
  /** Ends it. */
  readonly stop: CancelSignal | undefined
}

const CREATED = 201
const NOT_FOUND = 404

const isQuery = (document: string): boolean => !/^\s*mutation\b/.test(document)

/** Adds another possible reason why the forge does not answer GraphQL, although it often answers REST. */
function notLetThrough<Failure extends { reason: string | undefined }>(error: Failure): Failure {
  error.reason = `This tool asks the forge by GraphQL: what stands before the forge has to let ${GRAPHQL_PATH} through, not only ${REST_PATH}.`
  return error
}

/**
 * Most characters of an answer that is only a text. Forges answer with records and lists. In a text, each character
 * would become a field.
 */
const MAX_TEXT = 4_096
