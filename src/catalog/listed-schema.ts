/** The keywords of JSON Schema that this service's own rows use in a listing; a row may have any other one. */
export interface ListedSchema {
  readonly type?: string
  readonly required?: readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly maximum?: number
  readonly maxItems?: number
  readonly maxLength?: number
  readonly items?: ListedSchema
  readonly properties?: Readonly<Record<string, ListedSchema>>
  /** Said where the names of an object are the caller's own. */
  readonly additionalProperties?: boolean
}

/** The keyword by which a client mirrors an argument in the header Mcp-Param-… (2026-07-28, Streamable HTTP). */
export const MIRROR = 'x-mcp-header'

type Keywords = Readonly<Record<string, unknown>>

/**
 * The keyword for what the forge takes where an argument is absent. It is listed as the default it is; nothing is
 * filled in, so that the forge goes on deciding.
 */
export const FORGE_DEFAULT = 'forgeDefault'

/**
 * What is listed of a schema that validates: all that it takes to write a call. A lower bound of 0 or 1 says no more
 * than that something is a number, a text or a list, and is left out.
 * @param mirrors whether the client knows headers that mirror arguments
 */
export function listed(schema: object, mirrors: boolean): ListedSchema {
  return listedPart(schema, mirrors, false)
}

/** @param told elsewhere: only its shape is listed */
function listedPart(schema: object, mirrors: boolean, told: boolean): ListedSchema {
  const { toldElsewhere = false } = schema as Keywords
  const around = toldElsewhere === true
  const entries = Object.entries(schema)
    .filter(([keyword, value]) => isSaid(keyword, value) || (mirrors && keyword === MIRROR))
    .filter(([keyword, value]) => !hidden(keyword, value, told, around))
    .map(([keyword, value]) => [
      keyword === FORGE_DEFAULT ? 'default' : keyword,
      listedValue(
        keyword,
        keyword === 'properties' && (told || around) ? named(value, around ? {} : schema) : value,
        mirrors,
        told || around
      )
    ])
  return Object.fromEntries(entries)
}

/**
 * Of a record that another tool of the list has, its name is enough. But what `required` names has to be among the
 * properties, and there has to be one: Gemini refuses all tools for one of which that does not hold.
 */
function named(properties: object, { required = [] }: { required?: readonly string[] }): object {
  const all = Object.entries(properties)
  const those = all.filter(([name]) => required.includes(name))
  return Object.fromEntries(those.length > 0 ? those : all.slice(0, 1))
}

const explaining = new Set(['description', 'default', FORGE_DEFAULT])
/** Of a set that is listed all the same: it takes no more room than to look it up. */
const FEW_WORDS = 2

/** What is left out where another tool of the list says it: of what is `told`, and of the schema `around` that. */
function hidden(keyword: string, value: unknown, told: boolean, around: boolean): boolean {
  if (keyword === 'enum') return (told || around) && (value as readonly string[]).length > FEW_WORDS
  if (around && keyword === 'required') return true
  return told && explaining.has(keyword)
}

const isSaid = (keyword: string, value: unknown): boolean =>
  said.has(keyword) || (lowerBounds.has(keyword) && Number(value) > 1)

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

const lowerBounds = new Set(['minimum', 'minLength', 'minItems'])

/**
 * The dialect's other keywords but patterns and formats, which are described: Gemini takes no format but date-time. What
 * a row has besides is this service's own.
 */
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
  'contentEncoding',
  'contentMediaType',
  'title',
  'description',
  'default',
  FORGE_DEFAULT,
  'maximum',
  'maxLength',
  'maxItems',
  'examples',
  'deprecated',
  'readOnly'
]
const said = new Set([...plain, ...ofOne, ...ofSeveral, ...byName])

function listedValue(keyword: string, value: unknown, mirrors: boolean, told: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  // Clients want one type of an argument; of several the first is the usual one.
  if (keyword === 'type') return (value as readonly string[])[0]
  if (ofOne.has(keyword)) return listedPart(value, mirrors, told)
  if (ofSeveral.has(keyword)) return (value as object[]).map(schema => listedPart(schema, mirrors, told))
  if (!byName.has(keyword)) return value
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Keywords>>)
      .filter(([, { unlisted }]) => unlisted !== true)
      .map(([name, schema]) => [name, listedPart(schema, mirrors, told)])
  )
}
