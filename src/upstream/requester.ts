import type { CancelSignal } from '../cancellation.ts'
import { holderOf } from '../edge/address.ts'
import { type Credential, credentialHeader } from '../session/credential.ts'
import { traceHeaders } from '../tracing/context.ts'
import type { Dispatching } from './answers/flight.ts'
import { traced } from './connections/traced.ts'
import type { GuardedCall, OnRetry } from './guard/guard.ts'
import type { CallScope, Upstream } from './upstream.ts'

export const JSON_TYPE = 'application/json'

/** What every request carries, whoever it is for. */
export const plainHeaders = (userAgent: string): Record<string, string> => ({
  accept: JSON_TYPE,
  'accept-encoding': 'gzip',
  'user-agent': userAgent
})

/** Whose requests those of a call are, and which way they go. */
export class Requester {
  readonly upstream: Upstream
  readonly dispatcher: Dispatching
  readonly token: string
  readonly caller: string
  readonly from: string | undefined
  /** Whom what is kept of requests counts for: the address, or the caller where there is none. */
  readonly sender: string
  /** Whom what is held of answers counts for. */
  readonly holder: string
  /** Whether an answer shows that the forge knows the credential. */
  readonly proves: boolean
  /** With the one credential header, for the forge's own origin. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: CancelSignal | undefined
  /** Whether a request was handed to a connection: from then on the forge may have got it, whatever comes of it. */
  sent = false
  readonly #onRetry: OnRetry | undefined

  constructor(
    upstream: Upstream,
    credential: Credential,
    { caller = credential.token, from, signal, onRetry, trace, span }: CallScope
  ) {
    this.upstream = upstream
    this.token = credential.token
    this.caller = caller
    this.from = from && holderOf(from)
    this.sender = this.from ?? caller
    this.holder = upstream.reading?.holder ?? caller
    // GitLab looks at a job token only where one is allowed; anywhere else whoever sends one is anybody.
    this.proves = credential.kind !== 'job-token'
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

  /**
   * A request as the guard sees it.
   * @param end when all its attempts have to be over, as of `clock`
   * @param signal gives it up
   */
  call(reads: boolean, end: number, signal: CancelSignal | undefined): GuardedCall {
    return {
      caller: this.caller,
      from: this.from,
      proves: this.proves,
      reads,
      signal,
      onRetry: this.#onRetry,
      end
    }
  }

  /** Milliseconds, from any moment on. */
  clock(): number {
    return this.upstream.guard?.clock() ?? performance.now()
  }
}
