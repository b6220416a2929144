import type { Dispatcher } from 'undici'
import type { CallSpan, RequestSpan } from '../../tracing/spans.ts'
import { ForgeError } from '../errors.ts'
import type { Dispatching, Outgoing } from './sent-request.ts'
import { transportFault } from './transport-fault.ts'

/** A request of a call, with its path template, which contains no arguments (upstream/place.ts). */
export interface ForgeDispatch extends Outgoing {
  readonly template?: string | undefined
}

/**
 * A dispatcher that records each request of a call as a span, including every attempt and every hop, and sends the
 * trace context to the forge. A hop to another host is recorded without a template, and that host gets no trace
 * context.
 * @param home origin of the call's forge
 */
export const traced = (dispatcher: Dispatching, call: CallSpan, home: string): Dispatching => ({
  givenUp: dispatcher.givenUp,
  hangUps: dispatcher.hangUps,
  plainOrigins: dispatcher.plainOrigins,
  isProxied: dispatcher.isProxied,
  answering: dispatcher.answering,
  dispatch(options: ForgeDispatch, handler) {
    const { method, headers, template } = options
    const origin = String(options.origin)
    if (origin !== home)
      return dispatcher.dispatch(
        options,
        new Recorder(handler, call.request({ method, origin, template: undefined }))
      )
    const span = call.request({ method, origin, template })
    const told = { ...(headers as Record<string, string>), ...span.headers }
    return dispatcher.dispatch({ ...options, headers: told }, new Recorder(handler, span))
  }
})

/** Passes everything on, and ends the span with the answer's last byte. */
class Recorder implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #span: RequestSpan
  #status: number | undefined

  constructor(handler: Dispatcher.DispatchHandler, span: RequestSpan) {
    this.#handler = handler
    this.#span = span
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context)
  }

  onResponseStart(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>): void {
    if (args[1] >= 200) this.#status = args[1]
    this.#handler.onResponseStart?.(...args)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>): void {
    this.#span.end(this.#status)
    this.#handler.onResponseEnd?.(...args)
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    const { fault } = error instanceof ForgeError ? error : transportFault(error, '', false)
    // A reader that has read enough of an answer, or wants only its status, cancels the rest: that is not a failure.
    this.#span.end(this.#status, fault === 'cancelled' && this.#status !== undefined ? undefined : fault)
    this.#handler.onResponseError?.(controller, error)
  }
}
