export interface Accepted {
  readonly json: boolean
  readonly events: boolean
  /** Whether the header names text/event-stream explicitly, so that a stream is welcome even if JSON would do. */
  readonly streams: boolean
}

/** Ranges of a header that are read, and parameters of each: thousands would cost more than the call. */
export const MAX_RANGES = 100
export const MAX_PARAMETERS = 10

const anything: Accepted = { json: true, events: true, streams: false }
const either: Accepted = { json: true, events: true, streams: true }

/**
 * Reads Accept as far as /mcp needs it: the most specific media range decides for a type. Weights only matter if they
 * are zero, which means that the type is not acceptable (RFC 9110, section 12.5.1).
 */
export function readAccept(header: string | undefined): Accepted {
  // What MCP clients send.
  if (header === 'application/json, text/event-stream') return either
  if (header === undefined || header === '' || header === '*/*') return anything
  const ranges = new Map(header.split(',', MAX_RANGES).map(readRange))
  const any = ranges.get('*/*') ?? false
  const named = ranges.get('text/event-stream')
  return {
    json: ranges.get('application/json') ?? ranges.get('application/*') ?? any,
    events: named ?? ranges.get('text/*') ?? any,
    streams: named ?? false
  }
}

function readRange(text: string): [range: string, isWanted: boolean] {
  const [range, ...parameters] = text.toLowerCase().split(';', MAX_PARAMETERS)
  const isUnwanted = parameters.some(parameter => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter))
  return [range!.trim(), !isUnwanted]
}
