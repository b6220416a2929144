import { Dispatcher } from 'undici'

export interface ScriptedReply {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON, unless it is a text or bytes. */
  body?: unknown
}

export interface SentRequest {
  method: string
  origin: string
  path: string
  headers: Record<string, string>
  body: unknown
}

/** @returns the reply; undefined at the end of the script, and 'silence' if no answer ever comes */
type Script = (request: SentRequest) => ScriptedReply | 'silence' | undefined

/**
 * A dispatcher without a network. It records the requests. It answers with the next reply of a script, or with what a
 * script function returns for the request.
 */
export class ScriptedDispatcher extends Dispatcher {
  readonly sent: SentRequest[] = []
  readonly #next: Script

  constructor(script: readonly ScriptedReply[] | Script = []) {
    super()
    const replies = typeof script === 'function' ? [] : [...script]
    this.#next = typeof script === 'function' ? script : () => replies.shift()
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const request: SentRequest = {
      method: options.method,
      origin: String(options.origin),
      path: options.path,
      headers: options.headers as Record<string, string>,
      body: sentBody(options)
    }
    this.sent.push(request)
    queueMicrotask(() => this.#answer(request, handler))
    return true
  }

  #answer(request: SentRequest, handler: Dispatcher.DispatchHandler): void {
    const controller = new ScriptedController()
    handler.onRequestStart?.(controller, {})
    const reply = this.#next(request)
    if (reply === 'silence') return
    if (reply === undefined) {
      handler.onResponseError?.(controller, new Error('the script has no further reply'))
      return
    }
    const { status = 200, headers = {}, body } = reply
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(textOf(body))
    handler.onResponseStart?.(controller, status, { 'content-type': 'application/json', ...headers })
    if (bytes.length > 0) handler.onResponseData?.(controller, bytes)
    if (!controller.aborted) handler.onResponseEnd?.(controller, {})
  }

  override async close(): Promise<void> {}
  override async destroy(): Promise<void> {}
}

/** The body: JSON is parsed, a form stays as it was sent. */
const sentBody = ({ body, headers }: Dispatcher.DispatchOptions): unknown => {
  if (typeof body !== 'string') return body ?? undefined
  const type = (headers as Record<string, string> | undefined)?.['content-type']
  return type === 'application/x-www-form-urlencoded' ? body : JSON.parse(body)
}

const textOf = (body: unknown): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)

class ScriptedController implements Dispatcher.DispatchController {
  aborted = false
  paused = false
  reason: Error | null = null
  abort(reason: Error): void {
    this.aborted = true
    this.reason = reason
  }
  pause(): void {
    this.paused = true
  }
  resume(): void {
    this.paused = false
  }
}
