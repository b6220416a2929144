import type { Dispatcher } from 'undici'
import type { CancelSignal } from '../base/cancellation.ts'
import type { Trace } from '../tracing/context.ts'
import type { CallSpan } from '../tracing/spans.ts'
import type { Guard } from './guard/guard.ts'
import type { OnRetry } from './guard/guarded-call.ts'
import type { HostPolicy } from './hosts/hosts.ts'
import type { ApiBase } from './hosts/url.ts'
import type { AnswerRoom } from './reading/answer-room.ts'
import type { ExchangeLimits } from './reading/exchange.ts'
import type { LargeAnswers } from './reading/large-answers.ts'
import type { LargeRequests } from './reading/large-requests.ts'

/** A forge, and how requests to it are made. */
export interface Upstream {
  readonly base: ApiBase
  readonly dispatcher: Dispatcher
  readonly limits: ExchangeLimits
  /** Milliseconds for a streamed answer. */
  readonly streamMs: number
  readonly userAgent: string
  /** Turns, retries and the breaker. */
  readonly guard: Guard
  /** Makes large answers take turns, and bounds the memory of all. */
  readonly reading: Reading
  /** The hosts that a redirect may lead to; default any. */
  readonly hosts?: HostPolicy
}

/** How answers are read beside those of other callers. */
export interface Reading {
  readonly largeAnswers: LargeAnswers
  readonly room: AnswerRoom
  /**
   * Serializes large requests and counts their memory until the forge has answered, or nothing holds them any more; a
   * request without room is not sent.
   */
  readonly leaving: LargeRequests
  /** As in Whose; only for a caller's own forge. */
  readonly holder?: string
}

/** The call that requests are made for. */
export interface CallScope {
  /** What identifies the caller; default the token. */
  readonly caller?: string
  /** The caller's address on the network. */
  readonly from?: string | undefined
  /** Aborts what is under way when the caller has gone. */
  readonly signal?: CancelSignal | undefined
  /** Ends the call until it has sent something that may change the forge. From then on its outcome is awaited. */
  readonly gone?: CancelSignal | undefined
  /** Called when one of its requests is retried. */
  readonly onRetry?: OnRetry | undefined
  /** The trace that the requests are part of, which is sent to the forge. */
  readonly trace?: Trace | undefined
  /** The span of the call. Each request is recorded as a child of it. */
  readonly span?: CallSpan | undefined
}
