import type { CallOutcome } from '../calls/outcome.ts'
import type { Trace, TraceHeaders } from './context.ts'

/*
 * What is recorded of a call, as the rest of the service knows it. Behind these stands OpenTelemetry's SDK (sdk/), or
 * where tracing is off nothing at all: there is no Tracing then, and no span of any call.
 */

/** What is known of a call when it begins. */
export interface CallFacts {
  /** Of MCP: tools/call, or another that runs a tool. */
  readonly method: string
  /** A tool of the catalog; `other` for a name that none has, of which callers may make as many as they like. */
  readonly tool: string
  /** The revision of MCP it came by, when there is one. */
  readonly version: string | undefined
  /** The caller's operation that it is part of. */
  readonly parent: Trace | undefined
  /** What the HTTP request is part of, where that is something else. */
  readonly carrier: Trace | undefined
}

/** What is known of a request to a forge before it is sent. Neither its path nor its query: they hold arguments. */
export interface RequestFacts {
  readonly method: string
  /** Such as https://forge.example:8443. */
  readonly origin: string
  /** As of a Place. */
  readonly template: string | undefined
}

/** Records calls. Only `close` waits for anything, and nothing throws. */
export interface Tracing {
  call(facts: CallFacts): CallSpan
  /** Sends what is left, and gives up on a collector that does not take it in two seconds. */
  close(): Promise<void>
}

/** A call under way. */
export interface CallSpan {
  readonly traceId: string
  /** One attempt at a request to a forge begins. */
  request(facts: RequestFacts): RequestSpan
  end(how: CallOutcome): void
}

/** A request under way. */
export interface RequestSpan {
  /** By them the forge's own operation becomes a part of this one. */
  readonly headers: TraceHeaders
  /**
   * @param status of the answer, when there was one
   * @param fault the kind of failure (ForgeFault), when there was one
   */
  end(status: number | undefined, fault?: string): void
}
