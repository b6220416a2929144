import type { Dispatcher } from 'undici'
import type { CancelSignal } from '../cancellation.ts'
import type { Trace } from '../tracing/context.ts'
import type { CallSpan } from '../tracing/spans.ts'
import type { ExchangeLimits } from './answers/exchange.ts'
import type { HostPolicy } from './connections/hosts.ts'
import type { ApiBase } from './connections/url.ts'
import type { AnswerRoom } from './guard/answer-room.ts'
import type { Guard, OnRetry } from './guard/guard.ts'
import type { HeavyAnswers } from './guard/heavy.ts'
import type { LargeRequests } from './guard/large-requests.ts'

/** A forge, and how it is asked. */
export interface Upstream {
  readonly base: ApiBase
  readonly dispatcher: Dispatcher
  readonly limits: ExchangeLimits
  /** Milliseconds for a streamed answer; default upstreamLimits.streamMs. */
  readonly streamMs?: number
  readonly userAgent: string
  /** Turns, retries and the breaker; without it each request is made once, at once. */
  readonly guard?: Guard
  /** Makes large answers take turns, and bounds what all hold; without it they are read as they come. */
  readonly reading?: Reading
  /** Which hosts a redirect may lead to; default any. */
  readonly hosts?: HostPolicy
}

/** How answers are read beside those of other callers. */
export interface Reading {
  readonly heavy: HeavyAnswers
  readonly room: AnswerRoom
  /** What large requests are written by, and have room in until the forge has answered; what finds none is not sent. */
  readonly leaving: LargeRequests
  /** Whom they count for, where that is not the caller: callers' own forges make up callers. */
  readonly holder?: string
}

/** The call that requests are made for. */
export interface CallScope {
  /** What callers are told apart by; default the token. */
  readonly caller?: string
  /** The caller's address on the network. */
  readonly from?: string | undefined
  /** Aborts what is under way, when the caller has gone. */
  readonly signal?: CancelSignal | undefined
  /** Told when one of its requests is made again. */
  readonly onRetry?: OnRetry | undefined
  /** What the requests are part of, for the forge to know. */
  readonly trace?: Trace | undefined
  /** Records each of them, and is then what they are part of. */
  readonly span?: CallSpan | undefined
}
