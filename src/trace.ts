import type { Random } from './seal/random.ts'

/** The caller's place in a trace (W3C Trace Context, level 1). */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string
  /** Two hexadecimal digits; the lowest bit says that the trace is sampled. */
  readonly flags: string
}

const shape = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/

/** Reads a traceparent header; whatever is no valid one starts no trace. */
export function readTrace(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string' || header.length > 512) return undefined
  const [, id, flags, more] = shape.exec(header) ?? []
  // Version 00 ends with the flags; a later one may go on.
  if (id === undefined || (more !== undefined && header.startsWith('00'))) return undefined
  return { id, flags: flags! }
}

/** The traceparent to send on, with this service as the parent. */
export const traceparent = ({ id, flags }: Trace, random: Random): string =>
  `00-${id}-${random(8).toString('hex')}-${flags}`
