/*
 * A caller's place in a trace, as W3C Trace Context writes it: in the headers of a request, or in `_meta` of an
 * MCP message. Nothing else reads or writes these.
 */

/** An operation of a trace, to be the parent of what comes next. */
export interface Trace {
  /** Of the whole trace: 32 hexadecimal digits. */
  readonly id: string
  /** Of the operation: 16 hexadecimal digits. */
  readonly span: string
  /** Two hexadecimal digits; the lowest bit says that the trace is sampled. */
  readonly flags: string
  /** What tracing systems on the way keep for themselves; it is passed on and not looked into. */
  readonly state?: string
}

/** What a request says of the operation it is part of. */
export interface TraceHeaders {
  readonly traceparent: string
  readonly tracestate?: string
}

const shape = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Text of `_meta` may hold what no header may; 512 characters are what everybody has to pass on. */
const stateShape = /^[\x20-\x7e]{1,512}$/

/**
 * Reads traceparent and tracestate (W3C Trace Context, level 1). Whatever is no valid traceparent starts no
 * trace, and a tracestate that cannot be passed on is left out.
 */
export function readTrace(traceparent: unknown, tracestate?: unknown): Trace | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > 512) return undefined
  const [, id, span, flags, more] = shape.exec(traceparent) ?? []
  // Version 00 ends with the flags; a later one may go on.
  if (id === undefined || (more !== undefined && traceparent.startsWith('00'))) return undefined
  const place = { id, span: span!, flags: flags! }
  return typeof tracestate === 'string' && stateShape.test(tracestate)
    ? { ...place, state: tracestate }
    : place
}

/** The same from `_meta` of a message (MCP, SEP-414), where a call has it whatever it travels by. */
export const readMetaTrace = (meta: unknown): Trace | undefined =>
  typeof meta === 'object' && meta !== null
    ? readTrace((meta as Partial<TraceHeaders>).traceparent, (meta as Partial<TraceHeaders>).tracestate)
    : undefined

/** The headers of a request that is part of an operation. */
export function traceHeaders({ id, span, flags, state }: Trace): TraceHeaders {
  const traceparent = `00-${id}-${span}-${flags}`
  return state === undefined ? { traceparent } : { traceparent, tracestate: state }
}
