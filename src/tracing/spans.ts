import type { CallOutcome } from '../calls/outcome.ts'
import type { Trace, TraceHeaders } from './context.ts'

/*
 * The interfaces by which the rest of the service records calls. They are implemented with OpenTelemetry's SDK (sdk/).
 * If tracing is off, there is no Tracing object, and calls have no spans.
 */

/** The facts of a call at its start. */
export interface CallFacts {
  /** The MCP method: tools/call, or another that runs a tool. */
  readonly method: string
  /**
   * The name of a tool in the catalog, or `other` for an unknown name: callers may send any number of unknown names.
   */
  readonly tool: string
  /** The MCP revision of the call, if there is one. */
  readonly version: string | undefined
  /** The caller's operation that the call is part of. */
  readonly parent: Trace | undefined
  /** The operation that the HTTP request belongs to, if it is a different one. */
  readonly carrier: Trace | undefined
}

/** The facts of a request to a forge before it is sent. Path and query are left out, because they contain arguments. */
export interface RequestFacts {
  readonly method: string
  /** For example https://forge.example:8443. */
  readonly origin: string
  /** The `template` of a Place. */
  readonly template: string | undefined
}

/** Records calls. Only `close` may wait, and nothing throws. */
export interface Tracing {
  call(facts: CallFacts): CallSpan
  /** Sends the remaining spans, and gives up if the collector does not accept them within two seconds. */
  close(): Promise<void>
}

/** The span of a running call. */
export interface CallSpan {
  readonly traceId: string
  /** Starts the span of one attempt at a request to a forge. */
  request(facts: RequestFacts): RequestSpan
  end(how: CallOutcome): void
}

/** The span of a running request. */
export interface RequestSpan {
  /** Headers that make the forge's own operation a part of this span. */
  readonly headers: TraceHeaders
  /**
   * Ends the span.
   * @param status of the answer, if there was one
   * @param fault the kind of failure (ForgeFault), if there was one
   */
  end(status: number | undefined, fault?: string): void
}
