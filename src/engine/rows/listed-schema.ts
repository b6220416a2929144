/** The JSON Schema keywords that this service's own rows use in a listing; other rows may use any. */
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
  /** Given if the caller chooses the names of an object. */
  readonly additionalProperties?: boolean
}

/** The keyword by which a client mirrors an argument in the header Mcp-Param-… (2026-07-28, Streamable HTTP). */
export const MIRROR = 'x-mcp-header'
/** The header for a project, the only such header. */
export const PROJECT_MIRROR = 'Project-Id'

type Keywords = Readonly<Record<string, unknown>>

/**
 * The keyword for the forge's default of an absent argument. It is listed as `default`, but not filled in, so that the
 * forge decides.
 */
export const FORGE_DEFAULT = 'forgeDefault'

/** The flag of a schema that another tool explains. */
export interface ToldElsewhere {
  /** That tool; undefined if another argument of the same tool explains it. */
  readonly by: string | undefined
  /** The description that is listed if that tool is not. */
  readonly description: string | undefined
}

/** The settings of a listing. */
interface Reader {
  /** Whether the client supports headers that mirror arguments. */
  readonly mirrors: boolean
  /** Whether a tool is listed beside this one, so that explanations may be left to it. */
  readonly has: (tool: string) => boolean
}

/**
 * The listed part of a validating schema: everything that is needed to write a call. A lower bound of 0 or 1 is left
 * out: it says only that the value is a number, a text or a list.
 */
export function listedSchemaOf(
  schema: object,
  mirrors: boolean,
  has: Reader['has'] = () => true
): ListedSchema {
  return listedPart(schema, { mirrors, has }, false)
}

/** The tools that explain something of a schema. */
export function explainersOf(schema: object): ReadonlySet<string> {
  const { toldElsewhere } = schema as { toldElsewhere?: ToldElsewhere }
  const within = Object.entries(schema)
    .filter(([keyword, value]) => keyword !== 'toldElsewhere' && typeof value === 'object' && value !== null)
    .flatMap(([, value]) => [...explainersOf(value)])
  return new Set(toldElsewhere?.by === undefined ? within : [toldElsewhere.by, ...within])
}

/** @param told whether another tool explains it: then only its shape is listed */
function listedPart(given: object, reader: Reader, told: boolean): ListedSchema {
  const { toldElsewhere: other, shortAnyway } = given as { toldElsewhere?: ToldElsewhere; shortAnyway?: true }
  const around = other !== undefined && (other.by === undefined || reader.has(other.by))
  const schema = other !== undefined && !around ? { ...given, description: other.description } : given
  const { mirrors } = reader
  const entries = Object.entries(schema)
    .filter(([, value]) => value !== undefined)
    .filter(([keyword, value]) => isSaid(keyword, value) || (mirrors && keyword === MIRROR))
    .filter(([keyword, value]) => !hidden(keyword, value, told, around))
    .filter(([keyword]) => !(shortAnyway && keyword === 'maxLength'))
    .map(([keyword, value]) => [
      keyword === FORGE_DEFAULT ? 'default' : keyword,
      listedValue(
        keyword,
        keyword === 'properties' && (told || around) ? named(value, around ? {} : schema) : value,
        reader,
        told || around
      )
    ])
  return Object.fromEntries(entries)
}

/**
 * For a record that another listed tool explains, its name is enough. But the names in `required` must be among the
 * properties, and there must be at least one: Gemini refuses all tools if one violates that.
 */
function named(properties: object, { required = [] }: { required?: readonly string[] }): object {
  const all = Object.entries(properties)
  const those = all.filter(([name]) => required.includes(name))
  return Object.fromEntries(those.length > 0 ? those : all.slice(0, 1))
}

const explaining = new Set(['description', 'default', FORGE_DEFAULT])
/** Sets of at most so many words are always listed: listing them takes no more room than a reference. */
const ALWAYS_LISTED_WORDS = 2

/**
 * Whether a keyword is left out because another listed tool has it: within a schema that is `told`, or in the schema
 * `around` it.
 */
function hidden(keyword: string, value: unknown, told: boolean, around: boolean): boolean {
  if (keyword === 'enum') return (told || around) && (value as readonly string[]).length > ALWAYS_LISTED_WORDS
  if (around && keyword === 'required') return true
  return told && explaining.has(keyword)
}

const isSaid = (keyword: string, value: unknown): boolean =>
  said.has(keyword) || (lowerBounds.has(keyword) && Number(value) > 1)

/* Keywords whose values are schemas. */
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
 * The dialect's other keywords, except patterns and formats, which are described in words: Gemini accepts no format but
 * date-time. All other keywords of a row are this service's own.
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

function listedValue(keyword: string, value: unknown, reader: Reader, told: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  // Clients expect one type for an argument. If there are several, the first is the usual one.
  if (keyword === 'type') return (value as readonly string[])[0]
  if (ofOne.has(keyword)) return listedPart(value, reader, told)
  if (ofSeveral.has(keyword)) return (value as object[]).map(schema => listedPart(schema, reader, told))
  if (!byName.has(keyword)) return value
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Keywords>>)
      .filter(([, { unlisted }]) => unlisted !== true)
      .map(([name, schema]) => [name, listedPart(schema, reader, told)])
  )
}
