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

/** The keywords of JSON Schema that a listing uses. */
export interface ListedSchema {
  readonly type?: string
  readonly required?: readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly items?: ListedSchema
  readonly properties?: Readonly<Record<string, ListedSchema>>
  /** Said where the names of an object are the caller's own. */
  readonly additionalProperties?: boolean
}

/** What a client is told of a row. */
export function describeTool(row: ToolRow): ToolDefinition {
  return {
    name: row.name,
    title: row.title,
    description: row.summary,
    inputSchema: listed(row.input),
    ...(row.output !== undefined && { outputSchema: listed(row.output) }),
    annotations: {
      readOnlyHint: row.class === 'read',
      destructiveHint: row.class === 'destructive',
      idempotentHint: isIdempotent(row),
      openWorldHint: true
    }
  }
}

type Schema = ListedSchema & { readonly unlisted?: boolean }

/**
 * What is listed of a schema that validates: all that it takes to write a call. Bounds are left out: few
 * calls come near one, every client would read them, and a call beyond one is told (engine/arguments.ts).
 */
function listed(schema: object): ListedSchema {
  const {
    type,
    required,
    description,
    enum: values,
    default: value,
    items,
    properties,
    additionalProperties
  } = schema as Schema
  return {
    ...(type !== undefined && { type }),
    ...(required !== undefined && { required }),
    ...(description !== undefined && { description }),
    ...(values !== undefined && { enum: values }),
    ...(value !== undefined && { default: value }),
    ...(items !== undefined && { items: listed(items) }),
    ...(properties !== undefined && { properties: listedFields(properties) }),
    ...(additionalProperties !== undefined && { additionalProperties })
  }
}

const listedFields = (properties: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, { unlisted }]) => unlisted !== true)
      .map(([name, schema]) => [name, listed(schema)])
  )

/** By RFC 9110 section 9.2.2, from the verb; a GraphQL document by whether it reads, unless its row says; custom rows do. */
function isIdempotent(row: ToolRow): boolean {
  if (row.kind === 'custom') return row.idempotent
  if (row.kind === 'graphql') return row.idempotent ?? row.class === 'read'
  const requests = typeof row.request === 'string' ? [row.request] : row.request
  return requests.every(request => !request.startsWith('POST '))
}
