export interface Accepted {
  readonly json: boolean
  readonly events: boolean
  /** text/event-stream stands in the header by name, so a stream is welcome even where JSON would do. */
  readonly streams: boolean
}

const anything: Accepted = { json: true, events: true, streams: false }
const either: Accepted = { json: true, events: true, streams: true }

/** Reads Accept as far as /mcp needs it: by media range, weights aside. */
export function readAccept(header: string | undefined): Accepted {
  // What MCP clients send.
  if (header === 'application/json, text/event-stream') return either
  if (header === undefined || header === '' || header === '*/*') return anything
  const ranges = header.split(',').map(range => range.split(';', 1)[0]!.trim().toLowerCase())
  const any = ranges.includes('*/*')
  const streams = ranges.includes('text/event-stream')
  return {
    json: any || ranges.includes('application/json') || ranges.includes('application/*'),
    events: any || streams || ranges.includes('text/*'),
    streams
  }
}
