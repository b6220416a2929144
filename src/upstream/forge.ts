import { Cancellation, type CancelSignal } from '../cancellation.ts'
import { holderOf } from '../edge/address.ts'
import { weightOf } from '../json-shape.ts'
import { type Credential, credentialHeader } from '../session/credential.ts'
import { traceHeaders } from '../tracing/context.ts'
import {
  graphqlData,
  parseBody,
  type Reply,
  refuseMarkup,
  refusePage,
  statusError
} from './answers/answer.ts'
import { exchange } from './answers/exchange.ts'
import type { Dispatching } from './answers/flight.ts'
import { type Hop, isRedirect, nextHop } from './answers/redirect.ts'
import {
  beginningOf,
  decodedBody,
  type OpenReply,
  openStream,
  type StreamAnswer,
  type StreamRequest
} from './answers/stream.ts'
import type { ForgeAnswer, ForgeClient, ForgeRequest } from './client.ts'
import { upstreamLimits } from './connections/dispatcher.ts'
import { type ForgeDispatch, traced } from './connections/traced.ts'
import { type ApiBase, GRAPHQL_PATH, REST_PATH } from './connections/url.ts'
import { ForgeError } from './errors.ts'
import type { Held } from './guard/answer-room.ts'
import type { GuardedCall, OnRetry } from './guard/guard.ts'
import type { HeavyAnswers } from './guard/heavy.ts'
import { isLargeBody } from './guard/large-requests.ts'
import { multipart } from './multipart.ts'
import type { CallScope, Upstream } from './upstream.ts'

/**
 * Calls to one forge with one caller's credential. Exactly one credential header goes out, and only to the
 * origin of the configured base: a redirect that leaves it is an error for a record, and followed without
 * the credential for a log or an archive, which forges keep in object storage.
 */
export class CallerForgeClient implements ForgeClient {
  readonly #upstream: Upstream
  readonly #dispatcher: Dispatching
  readonly #base: ApiBase
  readonly #token: string
  readonly #caller: string
  readonly #from: string | undefined
  readonly #proves: boolean
  readonly #headers: Record<string, string>
  readonly #signal: CancelSignal | undefined
  readonly #onRetry: OnRetry | undefined
  #wrote = false
  #status: number | undefined
  #created: unknown
  #served = false
  #heavy: HeavyAnswers | undefined
  #kept: Held | undefined
  /** Characters of answers that were too few to be counted. */
  #few = 0
  /** Ends what only reads when the caller goes, and when what is kept has to. */
  readonly #stop = new Cancellation()
  /** Why what it keeps has to go. */
  #lost: ForgeError | undefined

  constructor(
    upstream: Upstream,
    credential: Credential,
    { caller = credential.token, from, signal, onRetry, trace, span }: CallScope = {}
  ) {
    this.#upstream = upstream
    this.#base = upstream.base
    this.#token = credential.token
    this.#caller = caller
    this.#from = from && holderOf(from)
    // GitLab looks at a job token only where one is allowed; anywhere else whoever sends one is anybody.
    this.#proves = credential.kind !== 'job-token'
    this.#signal = signal
    if (signal?.aborted) this.#stop.abort()
    signal?.addEventListener('abort', () => this.#stop.abort(), { once: true })
    this.#onRetry = onRetry
    const [name, value] = credentialHeader(credential)
    this.#headers = plainHeaders(upstream.userAgent)
    this.#headers[name] = value
    if (trace !== undefined) Object.assign(this.#headers, traceHeaders(trace))
    this.#dispatcher =
      span === undefined ? upstream.dispatcher : traced(upstream.dispatcher, span, this.#base.origin)
  }

  get webUrl(): string {
    return this.#base.origin + this.#base.path.slice(0, -REST_PATH.length)
  }

  get wrote(): boolean {
    return this.#wrote
  }

  get answered(): boolean {
    return this.#status !== undefined
  }

  /** Whether the forge has answered anything but a refusal: the credential is one that it knows. */
  get served(): boolean {
    return this.#served && this.#proves
  }

  /** Of its last answer. */
  get status(): number | undefined {
    return this.#status
  }

  /** The last record that the forge has made for the call. */
  get created(): unknown {
    return this.#created
  }

  send(request: ForgeRequest): Promise<ForgeAnswer> {
    return this.#orLost(this.#send(request))
  }

  graphql(document: string, variables: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    return this.#orLost(this.#graphql(document, variables))
  }

  /** What ended for lack of room says so, and not that its caller has gone. */
  async #orLost<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      throw this.#lost ?? error
    }
  }

  async #send(request: ForgeRequest): Promise<ForgeAnswer> {
    const reads = request.method === 'GET'
    this.#wrote ||= !reads
    const end = this.#end()
    const path = this.#base.path + request.path
    let reply = await this.#exchange(request, path, reads, end)
    if (reads && isRedirect(reply.status)) reply = await this.#follow(request, reply, end)
    if (!isSuccess(reply.status)) throw statusError(reply, this.#token, Date.now())
    this.#served = true
    this.#weigh(reply)
    const size = reply.parsed?.size ?? reply.body.length
    const value = parseBody(reply)
    if (reply.status === CREATED) this.#created = value
    return { status: reply.status, headers: reply.headers, value, size }
  }

  async #graphql(
    document: string,
    variables: Readonly<Record<string, unknown>>
  ): Promise<Record<string, unknown>> {
    const reads = !/^\s*mutation\b/.test(document)
    this.#wrote ||= !reads
    const path = this.#base.graphqlPath
    const body = { query: document, variables }
    const request = { method: 'POST', path, template: GRAPHQL_PATH, body } as const
    const reply = await this.#exchange(request, path, reads, this.#end())
    if (reply.status !== 200) throw statusError(reply, this.#token, Date.now())
    const data = graphqlData(reply, this.#token)
    this.#weigh(reply)
    this.#served = true
    return data
  }

  keep(size: number): void {
    const { reading } = this.#upstream
    this.#kept ??= reading?.room.kept(this.#holder, error => {
      this.#lost = error
      // What waits for more would keep it until then.
      this.#stop.abort()
    })
    this.#kept?.grow(size)
    this.#refuseLost()
  }

  /** The call is over. */
  release(): void {
    this.#kept?.leave()
  }

  #refuseLost(): void {
    if (this.#lost !== undefined) throw this.#lost
  }

  paced<T>(work: () => T): T | Promise<T> {
    return this.#heavy === undefined ? work() : this.#heavy.paced(work)
  }

  /** Only a large answer was parsed where it was read; of small ones a call may keep many. */
  #weigh({ body, parsed }: Reply): void {
    if (parsed !== undefined) {
      this.#heavy = this.#upstream.reading?.heavy
      this.keep(parsed.weight)
      return
    }
    this.#few += body.length
    if (this.#few > FEW_CHARS) this.keep(weightOf(body))
  }

  async stream<T>(request: StreamRequest, read: (answer: StreamAnswer) => Promise<T>): Promise<T> {
    this.#refuseLost()
    const { guard } = this.#upstream
    const turn = guard?.enter(this.#caller, this.#signal, this.#from)
    if (turn !== undefined) await turn
    try {
      return await this.#streamNow(request, read)
    } finally {
      guard?.leave(this.#caller, this.#from)
    }
  }

  async #streamNow<T>(request: StreamRequest, read: (answer: StreamAnswer) => Promise<T>): Promise<T> {
    const end = this.#clock() + (this.#upstream.streamMs ?? upstreamLimits.streamMs)
    let hop: Hop = { origin: this.#base.origin, path: `${this.#base.path}${request.path}` }
    let atHome = true
    for (let hops = 0; ; hops++) {
      // Another host does not get to send the credential anywhere, not even back.
      atHome &&= hop.origin === this.#base.origin
      const reply = await this.#open(hop, atHome, request, end)
      this.#status = reply.status
      const held = this.#upstream.reading?.room.stream(this.#holder, error => reply.body.destroy(error))
      try {
        if (!isRedirect(reply.status))
          return await this.#read(reply, request, bytes => held?.grow(bytes), read)
        hop = nextHop(hop, reply.headers, hops, this.#upstream.hosts)
      } finally {
        reply.body.destroy()
        held?.leave()
      }
    }
  }

  async #read<T>(
    reply: OpenReply,
    { maxBytes, pageIsFine }: StreamRequest,
    hold: (bytes: number) => void,
    read: (answer: StreamAnswer) => Promise<T>
  ): Promise<T> {
    const { status, headers } = reply
    if (!isSuccess(status))
      throw statusError({ status, headers, body: await beginningOf(reply) }, this.#token, Date.now())
    this.#served = true
    if (!pageIsFine) refusePage(headers)
    const heavy = this.#upstream.reading?.heavy
    return read({ status, headers, body: decodedBody(reply, maxBytes, heavy && (() => heavy.piece())), hold })
  }

  #open(
    { origin, path }: Hop,
    atHome: boolean,
    { template, accept, range }: StreamRequest,
    end: number
  ): Promise<OpenReply> {
    const headers = { ...(atHome ? this.#headers : plainHeaders(this.#upstream.userAgent)), accept }
    // A part of a compressed body could not be decoded.
    if (range !== undefined) Object.assign(headers, { range, 'accept-encoding': 'identity' })
    const { guard } = this.#upstream
    const options: ForgeDispatch = { origin, path, method: 'GET', headers, template }
    const open = (deadlineMs: number) => openStream(this.#dispatcher, options, deadlineMs, this.#signal)
    // What an object store answers says nothing about the forge.
    if (guard === undefined || !atHome) return open(Math.max(1, end - this.#clock()))
    return guard.held(this.#call(true, end), open, reply => reply.body.destroy())
  }

  /** Reads on where a redirect leads, as long as that is the same host. */
  async #follow(request: ForgeRequest, redirect: Reply, end: number): Promise<Reply> {
    let at = this.#base.path + request.path
    let reply = redirect
    for (let hops = 0; isRedirect(reply.status); hops++) {
      const hop = nextHop({ origin: this.#base.origin, path: at }, reply.headers, hops, this.#upstream.hosts)
      if (hop.origin !== this.#base.origin) throw this.#led(hop.origin)
      at = hop.path
      reply = await this.#exchange(request, at, true, end)
    }
    return reply
  }

  /** That a record is said to be elsewhere, which is mostly an API URL with http:// in place of https://. */
  #led(origin: string): ForgeError {
    const error = new ForgeError(
      'bad-answer',
      `The forge redirects to ${origin}, another address, and the token stays here: where that is the forge, its API URL has to name it.`
    )
    this.#upstream.guard?.trouble(error)
    return error
  }

  /** @param path where it is sent: not its own once it was redirected */
  #exchange(request: ForgeRequest, path: string, reads: boolean, end: number): Promise<Reply> {
    this.#refuseLost()
    const { body, file } = request
    const send = (sent?: Sent) => this.#dispatch(request, sent, path, reads, end)
    if (file !== undefined) return send(multipart(file))
    if (body === undefined) return send()
    const { reading } = this.#upstream
    if (reading === undefined || !isLargeBody(body))
      return send({ contentType: JSON_TYPE, body: JSON.stringify(body) })
    return reading.leaving
      .write(body, { caller: this.#caller, from: this.#from, signal: this.#signal })
      .then(bytes => send({ contentType: JSON_TYPE, body: bytes }))
  }

  #dispatch(
    { method, template, unread = false }: ForgeRequest,
    sent: Sent | undefined,
    path: string,
    reads: boolean,
    end: number
  ): Promise<Reply> {
    const { limits, guard, reading } = this.#upstream
    const headers =
      sent === undefined ? this.#headers : { ...this.#headers, 'content-type': sent.contentType }
    const options: ForgeDispatch = {
      origin: this.#base.origin,
      path,
      template,
      method,
      headers,
      body: sent?.body ?? null
    }
    const reader = reading && {
      ...reading,
      caller: this.#caller,
      from: this.#from,
      holder: this.#holder,
      signal: this.#signal,
      unread
    }
    const attempt = async (deadlineMs: number) => {
      const reply = await exchange(
        this.#dispatcher,
        options,
        { maxBytes: limits.maxBytes, deadlineMs },
        reads ? this.#stop : this.#signal,
        reader
      )
      this.#status = reply.status
      refuseMarkup(reply)
      return reply
    }
    const sender = { address: this.#from ?? '', credential: this.#caller }
    const give = reading?.leaving.take(sender, sent?.body.length ?? 0)
    const reply =
      guard === undefined
        ? attempt(Math.max(1, end - this.#clock()))
        : guard.call(this.#call(reads, end), attempt)
    return give === undefined ? reply : reply.finally(give)
  }

  get #holder(): string {
    return this.#upstream.reading?.holder ?? this.#caller
  }

  #call(reads: boolean, end: number): GuardedCall {
    return {
      caller: this.#caller,
      from: this.#from,
      proves: this.#proves,
      reads,
      signal: reads ? this.#stop : this.#signal,
      onRetry: this.#onRetry,
      end
    }
  }

  #clock(): number {
    return this.#upstream.guard?.clock() ?? performance.now()
  }

  /** When all attempts and hops of one request have to be over. */
  #end(): number {
    return this.#clock() + this.#upstream.limits.deadlineMs
  }
}

/** The body of a request. */
interface Sent {
  readonly contentType: string
  readonly body: string | Buffer
}

/** Characters of answers of one call that are not worth counting: nearly all calls have fewer. */
const FEW_CHARS = 16 * 1024

const CREATED = 201

const JSON_TYPE = 'application/json'

/** What every request carries, whoever it is for. */
const plainHeaders = (userAgent: string): Record<string, string> => ({
  accept: JSON_TYPE,
  'accept-encoding': 'gzip',
  'user-agent': userAgent
})

const isSuccess = (status: number): boolean => status >= 200 && status <= 299
