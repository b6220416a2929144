import type { AuthFailure, RefusalReason, Rejection } from '../../metrics/metrics.ts'
import { code, errorText, internalErrorText, type RequestId } from './jsonrpc.ts'

/** The kind of refusal, for the metrics: a refusal of the caller, or of a request that may have been valid. */
type CountedReason = AuthFailure | Rejection

/**
 * A request on /mcp that is refused before the protocol sees it: an HTTP status and a JSON-RPC error. The message reaches
 * the caller, so it must not contain a token.
 */
export class Refusal extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  readonly reason: CountedReason | undefined
  /** What is wrong, for the log: in words of this service, without anything that the caller sent. */
  readonly hint: string | undefined
  constructor(
    status: number,
    message: string,
    options: {
      code?: number
      headers?: Readonly<Record<string, string>>
      reason?: CountedReason
      hint?: string | undefined
    } = {}
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = options.code ?? code.refused
    this.headers = options.headers ?? {}
    this.reason = options.reason
    this.hint = options.hint
  }
}

/** The content of a refusal's log line, over any transport. */
export interface LoggedRefusal {
  readonly status: number
  readonly reason: RefusalReason | undefined
  readonly hint?: string | undefined
  /** The refused MCP message, if it could be read. */
  readonly message?: { readonly code?: number | undefined; readonly method?: string | undefined }
}

/**
 * The answer to a message that failed, if an HTTP status is not possible: in a batch, on a stream that has begun, or
 * over stdio.
 */
export const failureText = (error: unknown, id: RequestId | undefined, requestId: string): string =>
  error instanceof Refusal ? errorText(id, error.code, error.message) : internalErrorText(id, requestId)
