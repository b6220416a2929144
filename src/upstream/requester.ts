import type { CancelSignal } from '../base/cancellation.ts'
import { holderOf, turnHolderOf } from '../base/holders.ts'
import type { KeepRoom } from '../fairness/work.ts'
import { type Credential, credentialHeader } from '../session/credential.ts'
import { traceHeaders } from '../tracing/context.ts'
import type { AnsweredRequest } from './answers/from-forge.ts'
import type { Keeping } from './answers/unparsed.ts'
import type { Dispatching } from './connections/sent-request.ts'
import { type ForgeDispatch, traced } from './connections/traced.ts'
import { ForgeError } from './errors.ts'
import type { Asked, GuardedCall, OnRetry, Queued } from './guard/guarded-call.ts'
import { GRAPHQL_PATH } from './hosts/url.ts'
import { plainHeaders } from './plain-headers.ts'
import { isLargeRequest } from './reading/large-requests.ts'
import type { Reader } from './reading/reader.ts'
import type { ForgeRequest } from './request.ts'
import type { CallScope, Upstream } from './upstream.ts'

/** Part of the time of a call in which a forge that is well does answer: with less a timeout would say nothing of it. */
const MIN_SHARE = 0.1

function notAsked(): ForgeError {
  const error = new ForgeError(
    'timeout',
    'The forge did not answer what was asked before, and was not asked more.'
  )
  error.isUnsent = true
  return error
}

/** The body of a request. */
export interface Sent {
  readonly contentType: string
  readonly body: string | Buffer
}

const bytesOf = (sent: Sent | undefined): number => (sent === undefined ? 0 : Buffer.byteLength(sent.body))

/** The requests of a call: whose they are, and how they are sent. */
export class Requester implements Queued {
  readonly upstream: Upstream
  readonly dispatcher: Dispatching
  readonly token: string
  readonly caller: string
  readonly from: string | undefined
  /** The holder that kept requests are counted for: the address, or the caller if there is none. */
  readonly sender: string
  /** As in Whose, until an answer begins. */
  readonly holder: string
  /** As in ForgeClient. */
  readonly isOfJob: boolean
  /** Whether an answer shows that the forge knows the credential. */
  readonly proves: boolean
  /** The headers for the forge's own origin, with the one credential header. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: CancelSignal | undefined
  /**
   * Requests that were handed to a connection, retries and redirects included: from then on the forge may have received
   * them, whatever their outcome.
   */
  requests = 0
  queuedMs = 0
  readonly #onRetry: OnRetry | undefined
  /** Milliseconds in which the call waited for answers that did not come, of requests side by side once. */
  #lostMs = 0
  /** Until when they are counted. */
  #lostUntil = Number.NEGATIVE_INFINITY

  constructor(
    upstream: Upstream,
    credential: Credential,
    { caller = credential.token, from, signal, onRetry, trace, span }: CallScope
  ) {
    this.upstream = upstream
    this.token = credential.token
    this.caller = caller
    this.from = from && holderOf(from)
    this.sender = turnHolderOf(this)
    this.holder = upstream.reading.holder ?? caller
    // GitLab checks a job token only where one is allowed; elsewhere it treats the sender as anonymous.
    this.isOfJob = credential.kind === 'job-token'
    this.proves = !this.isOfJob
    this.signal = signal
    this.#onRetry = onRetry
    const [name, value] = credentialHeader(credential)
    const headers = plainHeaders(upstream.userAgent)
    headers[name] = value
    if (trace !== undefined) Object.assign(headers, traceHeaders(trace))
    this.headers = headers
    this.dispatcher =
      span === undefined ? upstream.dispatcher : traced(upstream.dispatcher, span, upstream.base.origin)
  }

  /** Who makes a request, and for what. @param at the template of its path */
  asked(at: string | undefined): Asked {
    return { at, caller: this.caller, from: this.from }
  }

  /**
   * A request as the guard sees it.
   * @param end when all its attempts must be over, as returned by `now`
   * @param signal aborts it
   * @param at the template of its path
   */
  call(reads: boolean, end: number, signal: CancelSignal | undefined, at: string | undefined): GuardedCall {
    return {
      ...this.asked(at),
      proves: this.proves,
      reads,
      signal,
      onRetry: this.#onRetry,
      queued: this,
      end
    }
  }

  /**
   * A request as its connection takes it.
   * @param path where it is sent: after a redirect, not its own path
   * @param keep its room, as from `takeRoom`
   */
  outgoing(
    { method, template }: ForgeRequest,
    sent: Sent | undefined,
    path: string,
    keep: KeepRoom | undefined
  ): ForgeDispatch {
    const { base, reading } = this.upstream
    return {
      origin: base.origin,
      path,
      template,
      method,
      headers: sent === undefined ? this.headers : { ...this.headers, 'content-type': sent.contentType },
      body: sent?.body ?? null,
      holder: this.sender,
      keep,
      // A forge may answer before it has accepted the body, and the connection would then go on holding the body.
      reset: reading.holder !== undefined && isLargeRequest(bytesOf(sent))
    }
  }

  /** What the answer to a request is judged by. @param hops number of redirects so far */
  answered({ method, template }: ForgeRequest, path: string, hops: number): AnsweredRequest {
    const { base, hosts } = this.upstream
    return {
      origin: base.origin,
      path,
      follows: method === 'GET' ? base.path : undefined,
      given: template === GRAPHQL_PATH ? undefined : { method, template },
      hops,
      hosts,
      token: this.token
    }
  }

  /**
   * What reads an answer for the call.
   * @param signal gives up the answer
   * @param unparsed as in Reader
   */
  reader(signal: CancelSignal | undefined, unparsed: Keeping | undefined): Reader {
    const { caller, from, holder } = this
    return { ...this.upstream.reading, caller, from, holder, signal, unparsed }
  }

  /**
   * Takes the room of a request, as LargeRequests.take does.
   * @throws ForgeError busy if there is none: the request must not be sent
   */
  takeRoom(path: string, sent?: Sent): KeepRoom | undefined {
    const sender = { address: this.from ?? '', credential: this.caller }
    return this.upstream.reading.leaving.take(sender, path.length + this.token.length + bytesOf(sent))
  }

  /**
   * The time by which all attempts and hops of the next request must be over, as returned by `now`: for answers that do
   * not come a call waits no longer than for one.
   * @throws ForgeError timeout where too little of that is left for an answer to come: its request is not sent
   */
  end(): number {
    const mostMs = this.upstream.limits.deadlineMs
    const leftMs = mostMs - this.#lostMs
    if (leftMs < mostMs * MIN_SHARE) throw notAsked()
    return this.now() + leftMs
  }

  /** Reports that an attempt has failed. @param started when it began, as returned by `now` */
  failed(error: unknown, started: number): void {
    if (!(error instanceof ForgeError && error.fault === 'timeout')) return
    const now = this.now()
    this.#lostMs += now - Math.max(started, this.#lostUntil)
    this.#lostUntil = now
  }

  /** Milliseconds since an arbitrary moment. */
  now(): number {
    return this.upstream.guard.now()
  }
}
