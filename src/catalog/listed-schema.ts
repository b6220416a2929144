/** The keywords of JSON Schema that this service's own rows use in a listing; a row may have any other one. */
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

/** The keyword by which a client mirrors an argument in the header Mcp-Param-… (2026-07-28, Streamable HTTP). */
export const MIRROR = 'x-mcp-header'

type Keywords = Readonly<Record<string, unknown>>

/**
 * What is listed of a schema that validates: all that it takes to write a call. Bounds are left out: few
 * calls come near one, every client would read them, and a call beyond one is told (engine/arguments.ts).
 * @param mirrors whether the client knows headers that mirror arguments
 */
export function listed(schema: object, mirrors: boolean): ListedSchema {
  const entries = Object.entries(schema)
    .filter(([keyword]) => said.has(keyword) || (mirrors && keyword === MIRROR))
    .map(([keyword, value]) => [keyword, listedValue(keyword, value, mirrors)])
  return Object.fromEntries(entries)
}

/* Where a schema has others in it. */
const ofOne = new Set([
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties'
])
const ofSeveral = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const byName = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])

/** The dialect's other keywords but bounds; what a row has besides is this service's own. */
const plain = [
  '$schema',
  '$id',
  '$ref',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  'type',
  'enum',
  'const',
  'required',
  'dependentRequired',
  'format',
  'contentEncoding',
  'contentMediaType',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly'
]
const said = new Set([...plain, ...ofOne, ...ofSeveral, ...byName])

function listedValue(keyword: string, value: unknown, mirrors: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (ofOne.has(keyword)) return listed(value, mirrors)
  if (ofSeveral.has(keyword)) return (value as object[]).map(schema => listed(schema, mirrors))
  if (!byName.has(keyword)) return value
  const named = Object.entries(value as Readonly<Record<string, Keywords>>)
  return Object.fromEntries(
    named
      .filter(([, { unlisted }]) => unlisted !== true)
      .map(([name, schema]) => [name, listed(schema, mirrors)])
  )
}
