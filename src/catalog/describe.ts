import { takesQuickActions } from '../engine/quick-actions.ts'
import { type ListedSchema, listed, MIRROR } from './listed-schema.ts'
import type { ToolRow } from './row.ts'

/** The MCP Tool object of tools/list, with all four hints said rather than left to their defaults. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ListedSchema
  /** Only for records that this service defines: a forge's own change with its releases. */
  readonly outputSchema?: ListedSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: true
  }
}

/** What a listing depends on besides the row. */
interface Telling {
  /** The client knows headers that mirror arguments: of 2026-07-28. Default no. */
  readonly mirrors?: boolean
  /** Quick actions in texts are carried out, which may be anything. Default yes. */
  readonly actions?: boolean
  /** Whether a tool is listed beside it. Default yes. */
  readonly has?: (tool: string) => boolean
}

/** What a client is told of a row. */
export function describeTool(
  row: ToolRow,
  { mirrors = false, actions = true, has = () => true }: Telling = {}
): ToolDefinition {
  const actsOnText = actions && takesQuickActions(row.input)
  return {
    name: row.name,
    title: row.title,
    description: row.summary,
    inputSchema: listed(row.input, mirrors, has),
    ...(row.output !== undefined && { outputSchema: listed(row.output, false) }),
    annotations: {
      readOnlyHint: row.class === 'read' && row.saves !== true,
      destructiveHint: row.class === 'destructive' || actsOnText,
      idempotentHint: isIdempotent(row) && !actsOnText,
      openWorldHint: true
    }
  }
}

/** By RFC 9110 section 9.2.2, from the verb; a GraphQL document by whether it reads, unless its row says; custom rows do. */
function isIdempotent(row: ToolRow): boolean {
  if (row.kind === 'custom') return row.idempotent
  if (row.kind === 'several') return isIdempotent(row.of)
  if (row.kind === 'graphql') return row.idempotent ?? row.class === 'read'
  const requests = typeof row.request === 'string' ? [row.request] : row.request
  return requests.every(request => !request.startsWith('POST '))
}

/**
 * The arguments that a row has mirrored in headers, by the part of the header's name that is theirs.
 * @throws Error for two of one header: clients leave such a tool out
 */
export function mirroredArguments({
  name,
  input
}: Pick<ToolRow, 'name' | 'input'>): ReadonlyMap<string, string> {
  const properties = Object.entries(input.properties as Readonly<Record<string, { [MIRROR]?: string }>>)
  const mirrored = properties.flatMap(([argument, { [MIRROR]: header }]): [string, string][] =>
    header === undefined ? [] : [[argument, header]]
  )
  if (new Set(mirrored.map(([, header]) => header.toLowerCase())).size < mirrored.length)
    throw new Error(`${name} mirrors two arguments in one header`)
  return new Map(mirrored)
}
