import type { ToolRow } from './row.ts'

/** The MCP Tool object of tools/list, with all four hints said rather than left to their defaults. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: unknown
  /** Only for records that this service defines: a forge's own change with its releases. */
  readonly outputSchema?: unknown
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: true
  }
}

/** What a client is told of a row. Its input schema is the very object that validates calls. */
export function describeTool(row: ToolRow): ToolDefinition {
  return {
    name: row.name,
    title: row.title,
    description: row.summary,
    inputSchema: row.input,
    ...(row.output !== undefined && { outputSchema: row.output }),
    annotations: {
      readOnlyHint: row.class === 'read',
      destructiveHint: row.class === 'destructive',
      idempotentHint: isIdempotent(row),
      openWorldHint: true
    }
  }
}

/** By RFC 9110 section 9.2.2, from the verb; custom rows say it themselves. */
function isIdempotent(row: ToolRow): boolean {
  if (row.kind === 'custom') return row.idempotent
  const requests = typeof row.request === 'string' ? [row.request] : row.request
  return requests.every(request => !request.startsWith('POST '))
}
