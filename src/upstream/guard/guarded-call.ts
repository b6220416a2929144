import type { CancelSignal } from '../../base/cancellation.ts'
import type { ReplyHeaders } from '../connections/reply-headers.ts'

export type OnRetry = (reason: number | string, waitMs: number) => void

/** Adds up how long a caller's requests waited for their turns. */
export interface Queued {
  /** Milliseconds. If several requests wait at once, the waits of all are added. */
  queuedMs: number
}

/** Who has asked a forge, and for what. */
export interface Asked {
  /** The template of its path, for the log. */
  readonly at?: string | undefined
  /** A digest of its token. */
  readonly caller: string
  /** The address it comes from; see holderOf. */
  readonly from?: string | undefined
}

/** An answer, as the guard sees it. */
export interface Replied {
  readonly status: number
  readonly headers: ReplyHeaders
  /** What a forge said with an error status. */
  readonly says?: string
}

/** One call to a forge, with one or more attempts. */
export interface GuardedCall extends Asked {
  /** Whether a success proves the token. It does not if the forge ignores the token and answers as it would anybody. */
  readonly proves: boolean
  /** Whether it changes nothing, so that it may be retried. */
  readonly reads: boolean
  readonly signal: CancelSignal | undefined
  /** When all attempts must be over, on the guard's clock. */
  readonly end: number
  /** Called before a retry with its cause, a status or `transport`, and the wait in milliseconds. */
  readonly onRetry?: OnRetry | undefined
  readonly queued?: Queued
}
