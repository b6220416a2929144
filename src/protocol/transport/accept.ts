import { type MediaRange, mediaRanges, rangeParameterOf } from '../../base/media-ranges.ts'

export interface Accepted {
  readonly json: boolean
  readonly events: boolean
  /** Whether the header names text/event-stream explicitly, so that a stream is welcome even if JSON would do. */
  readonly streams: boolean
}

const anything: Accepted = { json: true, events: true, streams: false }
const either: Accepted = { json: true, events: true, streams: true }

/**
 * Reads Accept as far as /mcp needs it: the most specific media range decides for a type. A weight only matters if it
 * is zero, which means that the type is not acceptable (RFC 9110, section 12.5.1).
 */
export function readAccept(header: string | undefined): Accepted {
  // The value that MCP clients send.
  if (header === 'application/json, text/event-stream') return either
  if (header === undefined || header === '' || header === '*/*') return anything
  const ranges = new Map(mediaRanges(header).map(range => [range.type, isWanted(range)]))
  const any = ranges.get('*/*') ?? false
  const named = ranges.get('text/event-stream')
  return {
    json: ranges.get('application/json') ?? ranges.get('application/*') ?? any,
    events: named ?? ranges.get('text/*') ?? any,
    streams: named ?? false
  }
}

const isWanted = (range: MediaRange): boolean => !/^0(\.0*)?$/.test(rangeParameterOf(range, 'q') ?? '')
