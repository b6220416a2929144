import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace
} from '@opentelemetry/api'
import type { CallOutcome } from '../../calls/outcome.ts'
import {
  answerAttributes,
  callAttributes,
  callName,
  endAttributes,
  requestAttributes,
  requestName
} from '../attributes.ts'
import { type Trace, traceHeaders } from '../context.ts'
import type { CallFacts, CallSpan, RequestFacts, RequestSpan } from '../spans.ts'

/** A call and its requests as spans of OpenTelemetry's SDK: one SERVER span, and a CLIENT span for each request. */
export class SdkCall implements CallSpan {
  readonly #tracer: Tracer
  readonly #span: Span
  readonly #context: Context
  /** The caller's tracestate is sent to the forge, but not recorded in spans: it is a text from the caller. */
  readonly #state: string | undefined

  constructor(tracer: Tracer, facts: CallFacts) {
    const { parent, carrier } = facts
    this.#tracer = tracer
    this.#state = parent?.state
    this.#span = tracer.startSpan(
      callName(facts),
      {
        kind: SpanKind.SERVER,
        attributes: callAttributes(facts),
        links: carrier === undefined ? [] : [{ context: contextOf(carrier) }]
      },
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent))
    )
    this.#context = trace.setSpan(ROOT_CONTEXT, this.#span)
  }

  get traceId(): string {
    return this.#span.spanContext().traceId
  }

  request(facts: RequestFacts): RequestSpan {
    const options = { kind: SpanKind.CLIENT, attributes: requestAttributes(facts) }
    const span = this.#tracer.startSpan(requestName(facts), options, this.#context)
    const { traceId, spanId, traceFlags } = span.spanContext()
    const place = { id: traceId, span: spanId, flags: traceFlags === TraceFlags.SAMPLED ? '01' : '00' }
    return {
      headers: traceHeaders(this.#state === undefined ? place : { ...place, state: this.#state }),
      end: (status, fault) => finish(span, answerAttributes(status, fault))
    }
  }

  end(how: CallOutcome): void {
    finish(this.#span, endAttributes(how))
  }
}

function finish(span: Span, attributes: Attributes): void {
  span.setAttributes(attributes)
  if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

const contextOf = ({ id, span, flags }: Trace): SpanContext => ({
  traceId: id,
  spanId: span,
  traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
  isRemote: true
})
