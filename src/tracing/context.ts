/*
 * The trace context of a caller (W3C Trace Context), in the headers of a request or in `_meta` of an MCP message. Only
 * this file reads and writes it.
 */

/** An operation of a trace, used as the parent of later ones. */
export interface Trace {
  /** Id of the whole trace: 32 hexadecimal digits. */
  readonly id: string
  /** Id of the operation: 16 hexadecimal digits. */
  readonly span: string
  /** Two hexadecimal digits; the lowest bit means that the trace is sampled. */
  readonly flags: string
  /** Data that tracing systems on the way keep for themselves; it is passed on unread. */
  readonly state?: string
}

/** The headers that name the operation to which a request belongs. */
export interface TraceHeaders {
  readonly traceparent: string
  readonly tracestate?: string
}

const shape = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Text in `_meta` may contain characters that a header must not. Everybody must pass on at least 512 characters. */
const stateShape = /^[\x20-\x7e]{1,512}$/

/**
 * Reads traceparent and tracestate (W3C Trace Context, level 1). An invalid traceparent is ignored, and a tracestate
 * that cannot be passed on is left out.
 * @returns undefined without a valid traceparent
 */
export function readTrace(traceparent: unknown, tracestate?: unknown): Trace | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > 512) return undefined
  const [, id, span, flags, more] = shape.exec(traceparent) ?? []
  // Version 00 ends after the flags; later versions may have more.
  if (id === undefined || (more !== undefined && traceparent.startsWith('00'))) return undefined
  const place = { id, span: span!, flags: flags! }
  return typeof tracestate === 'string' && stateShape.test(tracestate)
    ? { ...place, state: tracestate }
    : place
}

/** Reads the same from the `_meta` of a message (MCP, SEP-414), where any transport can carry it. */
export const readMetaTrace = (meta: unknown): Trace | undefined =>
  typeof meta === 'object' && meta !== null
    ? readTrace((meta as Partial<TraceHeaders>).traceparent, (meta as Partial<TraceHeaders>).tracestate)
    : undefined

/** The headers that make a request a part of an operation. */
export function traceHeaders({ id, span, flags, state }: Trace): TraceHeaders {
  const traceparent = `00-${id}-${span}-${flags}`
  return state === undefined ? { traceparent } : { traceparent, tracestate: state }
}
