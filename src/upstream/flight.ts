import type { Dispatcher } from 'undici'
import { ForbiddenAddressError } from './addresses.ts'
import { ForgeError } from './errors.ts'

export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>

/** What becomes of an answer as it arrives. After `end` or `fail` nothing more is called. */
export interface Sink {
  head(status: number, headers: ReplyHeaders): void
  data(chunk: Buffer, flight: Flight): void
  end(): void
  fail(error: ForgeError): void
}

/** A request under way. */
export interface Flight {
  /** Ends it, unless it has ended; the sink's `fail` gets the error. */
  stop(error: ForgeError): void
  pause(): void
  resume(): void
}

/**
 * Sends one request and feeds its answer to a sink. Nothing is retried and no redirect is followed here. It
 * talks to undici's dispatch interface, because most answers are read whole and a body stream per call would
 * only cost time.
 * @param deadlineMs milliseconds from dispatch to the last byte; undici's own time-outs only bound the gaps
 * @param signal cancels it
 */
export function launch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  deadlineMs: number,
  signal: AbortSignal | undefined,
  sink: Sink
): Flight {
  let over = false
  let stopped: ForgeError | undefined
  let running: Dispatcher.DispatchController | undefined

  /** True for the first that ends the flight. */
  const settle = (): boolean => {
    if (over) return false
    over = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
    return true
  }
  // Fails at once even while the request still waits for a connection; undici then drops it on start.
  const stop = (error: ForgeError) => {
    if (!settle()) return
    stopped = error
    running?.abort(error)
    sink.fail(error)
  }
  const cancel = () => stop(new ForgeError('cancelled', 'The call was cancelled.'))
  const timer = setTimeout(
    () =>
      stop(
        new ForgeError(
          'timeout',
          `The forge did not answer in full within ${Number((deadlineMs / 1000).toPrecision(2))} seconds.`
        )
      ),
    deadlineMs
  )
  const flight: Flight = { stop, pause: () => running?.pause(), resume: () => running?.resume() }
  if (signal?.aborted) {
    cancel()
    return flight
  }
  signal?.addEventListener('abort', cancel, { once: true })

  dispatcher.dispatch(options, {
    onRequestStart(controller) {
      running = controller
      if (stopped !== undefined) controller.abort(stopped)
    },
    onResponseStart(_controller, status, headers) {
      // Informational answers, such as 103, come before the one that counts.
      if (status >= 200 && !over) sink.head(status, headers)
    },
    onResponseData(_controller, chunk) {
      if (!over) sink.data(chunk, flight)
    },
    onResponseEnd() {
      if (settle()) sink.end()
    },
    onResponseError(_controller, error) {
      if (settle()) sink.fail(transportFault(error))
    }
  })
  return flight
}

const timeouts = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT'
])

/** Maps a transport failure to what a caller may know of it; addresses stay in `cause`, for the log. */
export function transportFault(error: Error): ForgeError {
  if (error instanceof ForbiddenAddressError)
    return new ForgeError('forbidden', `The forge may not be asked from here. ${error.message}`, {
      cause: error
    })
  const code = (error as NodeJS.ErrnoException).code ?? error.name
  if (timeouts.has(code))
    return new ForgeError('timeout', 'The forge did not answer in time.', { cause: error })
  if (
    code.startsWith('HPE_') ||
    code === 'HTTPParserError' ||
    code === 'UND_ERR_HEADERS_OVERFLOW' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  )
    return new ForgeError('bad-answer', `The forge's answer is not valid HTTP (${code}).`, { cause: error })
  const refusal = /^Proxy response \((\d+)\)/.exec(error.message)?.[1]
  if (refusal !== undefined)
    return new ForgeError('unreachable', `The proxy does not connect to the forge (status ${refusal}).`, {
      cause: error
    })
  return new ForgeError('unreachable', `The forge could not be reached (${code}).`, { cause: error })
}
