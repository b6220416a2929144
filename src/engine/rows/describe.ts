import { argumentsOf } from '../arguments/argument-flags.ts'
import { markedTexts } from '../texts/quick-actions.ts'
import { type ListedSchema, listedSchemaOf, MIRROR } from './listed-schema.ts'
import type { ToolRow } from './row.ts'

/** The MCP Tool object of tools/list, with all four hints given explicitly. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ListedSchema
  /** Only for records that this service defines: a forge's own records change with its releases. */
  readonly outputSchema?: ListedSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: true
  }
}

/** The settings of a listing, besides the row. */
interface Telling {
  /** Whether the client supports headers that mirror arguments (revision 2026-07-28). Default: no. */
  readonly mirrors?: boolean
  /** Whether quick actions in texts are executed; they may do anything. Default: yes. */
  readonly actions?: boolean
  /** Whether a tool is listed beside this one. Default: yes. */
  readonly has?: (tool: string) => boolean
}

/** The definition of a row for clients. */
export function describeTool(
  row: ToolRow,
  { mirrors = false, actions = true, has = () => true }: Telling = {}
): ToolDefinition {
  const actsOnText = actions && markedTexts(row.input) !== undefined
  return {
    name: row.name,
    title: row.title,
    description: row.summary,
    inputSchema: listedSchemaOf(row.input, mirrors, has),
    ...(row.output !== undefined && { outputSchema: listedSchemaOf(row.output, false) }),
    annotations: {
      readOnlyHint: row.class === 'read' && row.saves !== true,
      destructiveHint: row.class === 'destructive' || actsOnText,
      idempotentHint: isIdempotent(row) && !actsOnText,
      openWorldHint: true
    }
  }
}

/**
 * Whether a tool is idempotent, by the HTTP method (RFC 9110 section 9.2.2). A GraphQL document is idempotent if it
 * only reads, unless its row says otherwise; custom rows must say.
 */
function isIdempotent(row: ToolRow): boolean {
  if (row.kind === 'custom') return row.idempotent
  if (row.kind === 'several') return isIdempotent(row.of)
  if (row.kind === 'graphql') return row.idempotent ?? row.class === 'read'
  const requests = typeof row.request === 'string' ? [row.request] : row.request
  return requests.every(request => !request.startsWith('POST '))
}

/**
 * The arguments of a row that are mirrored in headers, with their part of the header's name.
 * @throws Error if two arguments have the same header: clients ignore such a tool
 */
export function mirroredArguments({
  name,
  input
}: Pick<ToolRow, 'name' | 'input'>): ReadonlyMap<string, string> {
  const properties = Object.entries(argumentsOf(input))
  const mirrored = properties.flatMap(([argument, { [MIRROR]: header }]): [string, string][] =>
    header === undefined ? [] : [[argument, header]]
  )
  if (new Set(mirrored.map(([, header]) => header.toLowerCase())).size < mirrored.length)
    throw new Error(`${name} mirrors two arguments in one header`)
  return new Map(mirrored)
}
