import type { Dispatcher } from 'undici'
import type { CancelSignal } from '../../base/cancellation.ts'
import { hostOf } from '../../base/host-names.ts'
import type { KeepRoom } from '../../fairness/work.ts'
import { cancelled, ForgeError } from '../errors.ts'
import type { GivenUp } from './given-up.ts'
import type { HangUps } from './hang-ups.ts'
import { MergedPieces } from './merged-pieces.ts'
import type { PlainOrigins } from './plain-origins.ts'
import { keptHeaders, type ReplyHeaders } from './reply-headers.ts'
import { GIVEN_UP, transportFault } from './transport-fault.ts'

/** The part of a dispatcher that requests need. */
export interface Dispatching extends Pick<Dispatcher, 'dispatch'> {
  /** Counts the memory it keeps for requests that are over; if absent, it is not counted. */
  readonly givenUp?: GivenUp | undefined
  /** Counts the connections that are closed because callers have gone; if absent, they are not counted. */
  readonly hangUps?: HangUps | undefined
  /** Remembers which plain http origins have answered; if absent, none has. */
  readonly plainOrigins?: PlainOrigins | undefined
  /** Whether a plain http origin is asked through a proxy. */
  readonly isProxied?: ((origin: string) => boolean) | undefined
  /** While an answer begins: the holder of the address that it comes from (base/holders.ts), if known. */
  readonly answering?: (() => string) | undefined
}

/** A request as it is sent. */
export interface Outgoing extends Dispatcher.DispatchOptions {
  /**
   * The holder that the request is counted for if it is given up or its caller hangs up. All requests without a holder
   * share one count.
   */
  readonly holder?: string | undefined
  /**
   * Keeps the room of the request's memory if the request is given up, until the dispatcher lets go of it. Absent if no
   * room was taken.
   */
  readonly keep?: KeepRoom | undefined
}

/** Receives an answer as it arrives. After `end` or `fail` nothing more is called. */
export interface Sink {
  head(status: number, headers: ReplyHeaders, sentRequest: SentRequest): void
  data(chunk: Buffer, sentRequest: SentRequest): void
  end(): void
  fail(error: ForgeError): void
}

/**
 * How long a request goes on after its caller has gone, in milliseconds, and how many bytes may arrive in that time.
 * HTTP/1.1 can abort a request only by closing its connection, which other callers of the forge use as well.
 */
export const goneLimits = { ms: 500, bytes: 64 * 1024 } as const

/** A request under way. */
export interface SentRequest {
  /** As given by Dispatching.answering, once an answer has begun. */
  readonly source: string | undefined
  /** Ends the request, unless it has ended already. The sink's `fail` gets the error. */
  stop(error: ForgeError): void
  /**
   * Like `stop`, for an answer whose rest nobody wants. If that was done too often for its holder, the answer is read
   * to its end instead.
   */
  leave(error: ForgeError): void
  pause(): void
  resume(): void
}

/**
 * Sends one request and feeds its answer to a sink. Nothing is retried and no redirect is followed here. It uses
 * undici's dispatch interface directly: most answers are read as a whole, and a body stream for each call would only
 * cost time.
 * @param deadlineMs milliseconds from dispatch to the last byte; undici's own time-outs only bound the gaps
 * @param signal cancels it: at once while it waits for a connection; after that it has a moment to end by itself
 */
export function sendRequest(
  dispatcher: Dispatching,
  options: Outgoing,
  deadlineMs: number,
  signal: CancelSignal | undefined,
  sink: Sink
): SentRequest {
  const sentRequest = new DispatchedRequest(deadlineMs, signal, sink)
  if (signal?.aborted) sentRequest.cancel()
  else sentRequest.dispatch(dispatcher, options)
  return sentRequest
}

/** The request and undici's handler for it in one object, to save an allocation for every call. */
class DispatchedRequest implements SentRequest, Dispatcher.DispatchHandler {
  /**
   * Set until the request is over. After that, whatever the dispatcher still holds of it refers to nothing of its call.
   */
  #sink: Sink | undefined
  readonly #signal: CancelSignal | undefined
  readonly #timer: NodeJS.Timeout
  #origin = ''
  #holder = ''
  source: string | undefined
  #dispatcher: Dispatching | undefined
  #running: Dispatcher.DispatchController | undefined
  #answered = false
  /** Since when no part of its answer has arrived, by `performance.now`; undefined while none is expected. */
  #silentSince: number | undefined = performance.now()
  /** Whether the request has got a connection, or will never get one. */
  #isOut = true
  #stopped: ForgeError | undefined
  #keep: KeepRoom | undefined
  /** Gives back the room for what the dispatcher holds of the request, once it was given up. */
  #give: (() => void) | undefined
  #merged: MergedPieces | undefined
  /** Set once the caller has gone: the timer of the time that is left, and the bytes that are left. */
  #leaving: NodeJS.Timeout | undefined
  #bytesLeft = Number.POSITIVE_INFINITY
  readonly cancel = (): void => {
    if (this.#running === undefined) this.stop(cancelled())
    else {
      this.#bytesLeft = goneLimits.bytes
      this.#leaving = setTimeout(() => this.leave(cancelled()), goneLimits.ms).unref()
    }
  }

  constructor(deadlineMs: number, signal: CancelSignal | undefined, sink: Sink) {
    this.#sink = sink
    this.#signal = signal
    this.#timer = setTimeout(late, deadlineMs, this, deadlineMs)
    signal?.addEventListener('abort', this.cancel, { once: true })
  }

  dispatch(dispatcher: Dispatching, options: Outgoing): void {
    this.#origin = String(options.origin)
    this.#holder = options.holder ?? ''
    this.#keep = options.keep
    this.#dispatcher = dispatcher
    if (dispatcher.givenUp?.isFull(this.#holder, this.#origin)) {
      this.stop(notConnected(this.#origin))
      return
    }
    this.#isOut = false
    try {
      dispatcher.dispatch(options, this)
    } catch (error) {
      this.onResponseError(undefined, error as Error)
    }
  }

  // The sink fails at once, even while the request still waits for a connection. Undici drops the request as soon as it
  // would start.
  stop(error: ForgeError): void {
    const running = this.#running
    const sink = this.#settle()
    if (sink === undefined) return
    this.#stopped = error
    if (running === undefined) error.isUnsent = true
    error.isUnanswered = !this.#answered
    if (this.#silentSince !== undefined) error.silentMs = performance.now() - this.#silentSince
    if (!this.#isOut) {
      this.#dispatcher?.givenUp?.add(this.#holder, this.#origin)
      this.#give = this.#keep?.()
    }
    running?.abort(error)
    sink.fail(error)
  }

  leave(error: ForgeError): void {
    if (this.#sink === undefined) return
    this.#bytesLeft = Number.POSITIVE_INFINITY
    if (this.#dispatcher?.hangUps?.allows(this.#holder) !== false) this.stop(error)
    else this.resume()
  }

  pause(): void {
    this.#silentSince = undefined
    this.#running?.pause()
  }

  resume(): void {
    this.#silentSince ??= performance.now()
    this.#running?.resume()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#out()
    if (this.#stopped === undefined) this.#running = controller
    else controller.abort(this.#stopped)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ReplyHeaders): void {
    this.#answered = true
    this.#silentSince = performance.now()
    this.#dispatcher?.plainOrigins?.add(this.#origin)
    // Informational answers, such as 103, come before the one that counts.
    if (status < 200 || this.#sink === undefined) return
    this.source = this.#dispatcher?.answering?.()
    this.#sink.head(status, keptHeaders(status, headers), this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#silentSince = performance.now()
    this.#bytesLeft -= chunk.length
    if (this.#bytesLeft < 0) this.leave(cancelled())
    if (this.#sink === undefined) return
    this.#merged ??= new MergedPieces()
    for (const piece of this.#merged.add(chunk)) this.#sink?.data(piece, this)
  }

  onResponseEnd(): void {
    const rest = this.#merged?.rest()
    if (rest !== undefined) this.#sink?.data(rest, this)
    this.#settle()?.end()
  }

  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#out()
    // A failure of a proxy, or of a forge that has answered before, does not suggest that the URL has the wrong scheme.
    const isPlain =
      this.#dispatcher?.plainOrigins?.has(this.#origin) || this.#dispatcher?.isProxied?.(this.#origin)
    const fault =
      error instanceof ForgeError ? error : transportFault(error, this.#origin, this.#answered, isPlain)
    this.#settle()?.fail(fault)
    // Undici reports a 407 of a proxy in this way, and would read on as long as data arrives.
    controller?.abort(error)
  }

  /** Called once it no longer waits for a connection. */
  #out(): void {
    if (!this.#isOut && this.#stopped !== undefined) {
      this.#dispatcher?.givenUp?.drop(this.#holder, this.#origin)
      this.#give?.()
    }
    this.#isOut = true
  }

  /** @returns the sink, for the first call only: a request ends once */
  #settle(): Sink | undefined {
    const sink = this.#sink
    if (sink === undefined) return undefined
    this.#sink = undefined
    // The controller refers to the request, whose body may have megabytes.
    this.#running = undefined
    clearTimeout(this.#timer)
    clearTimeout(this.#leaving)
    this.#signal?.removeEventListener('abort', this.cancel)
    return sink
  }
}

const late = (sentRequest: SentRequest, deadlineMs: number): void => {
  const seconds = Number((deadlineMs / 1000).toPrecision(2))
  sentRequest.stop(new ForgeError('timeout', `The forge did not answer in full within ${seconds} seconds.`))
}

const notConnected = (origin: string): ForgeError =>
  new ForgeError(
    'unreachable',
    `The forge ${hostOf(origin)} was not asked: too many requests of this caller, or of others at its address, were given up while they waited for a connection. Try again in a few seconds.`,
    { cause: Object.assign(new Error('too many requests were given up'), { code: GIVEN_UP }) }
  )
