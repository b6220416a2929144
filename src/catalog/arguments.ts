import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Arguments } from './checks.ts'
import { CallProblem } from './problem.ts'

interface Property {
  type?: string
  enum?: readonly string[]
  default?: unknown
  items?: TSchema
}

interface Fault {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** Arguments whose listed default is what the forge does anyway: it is not sent. */
const forgeDefaults = new Set(['page', 'per_page'])

/**
 * Makes the reader of a tool's arguments from the schema that is also listed. Compiled once a tool.
 *
 * Reading is lenient where models are sloppy: null counts as absent, a number serves as an id, and digits
 * or "true"/"false" serve where a number or boolean is asked for. All else that does not fit is refused
 * with every problem named, including unknown names (DESIGN 5).
 * @returns a function that gives the arguments or throws CallProblem
 */
export function argumentReader(schema: TObject): (raw: unknown) => Record<string, unknown> {
  const properties = new Map(Object.entries(schema.properties as Record<string, Property>))
  const validator = Compile(schema)
  const defaults = [...properties].filter(
    ([name, { default: value }]) => value !== undefined && !forgeDefaults.has(name)
  )

  const faultsOf = (args: Arguments): string[] =>
    validator.Check(args)
      ? []
      : [...(validator.Errors(args) as Iterable<Fault>)].flatMap(fault => describe(fault, args))

  return raw => {
    const { args, problems } = gather(raw, properties)
    for (const [name, property] of defaults) args[name] ??= property.default
    problems.push(...faultsOf(args))
    if (problems.length > 0) throw new CallProblem(`Invalid arguments: ${problems.join('; ')}.`)
    return args
  }
}

/** The given arguments, coerced, and a problem for each name that the tool does not have. */
function gather(raw: unknown, properties: ReadonlyMap<string, Property>) {
  if (raw !== undefined && (typeof raw !== 'object' || raw === null || Array.isArray(raw)))
    throw new CallProblem('Invalid arguments: "arguments" must be an object.')
  const args: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, value] of Object.entries(raw ?? {})) {
    if (value === null || value === undefined) continue
    const property = properties.get(name)
    if (property === undefined) problems.push(unknownName(name, properties))
    else args[name] = coerce(name, value, property)
  }
  return { args, problems }
}

const isIdName = (name: string): boolean => /(^|_)i?id$/.test(name)

function coerce(name: string, value: unknown, property: Property): unknown {
  switch (property.type) {
    case 'string':
      return typeof value === 'number' && isIdName(name) && Number.isSafeInteger(value)
        ? String(value)
        : value
    case 'integer':
    case 'number':
      return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'array':
      return Array.isArray(value) && property.items !== undefined
        ? value.map(item => coerce(name, item, property.items as Property))
        : value
    default:
      return value
  }
}

function unknownName(name: string, properties: ReadonlyMap<string, Property>): string {
  const valid = [...properties.keys()]
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name
  return `unknown argument ${JSON.stringify(shown)} (valid: ${valid.length > 0 ? valid.join(', ') : 'none'})`
}

function describe(fault: Fault, args: Arguments): string[] {
  const { keyword, params, instancePath } = fault
  const where = instancePath.slice(1).replaceAll('/', '.')
  switch (keyword) {
    case 'required':
      return (params.requiredProperties as string[]).map(name =>
        where === '' ? `${name} is required` : `${where}.${name} is required`
      )
    case 'enum':
      return [`${where} must be one of ${(params.allowedValues as string[]).join(', ')}`]
    case 'type':
      return [`${where} must be ${article(String(params.type))}, not ${kindOf(valueAt(args, instancePath))}`]
    case 'boolean':
      return []
    case 'additionalProperties':
      return (params.additionalProperties as string[]).map(
        name => `${where || 'arguments'} has no field ${JSON.stringify(name)}`
      )
    default:
      return [`${where || 'arguments'} ${fault.message}`]
  }
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (value === null) return 'null'
  const text = typeof value === 'object' ? undefined : String(value)
  if (text === undefined) return 'an object'
  return `the ${typeof value} ${JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)}`
}

function valueAt(args: Arguments, pointer: string): unknown {
  let value: unknown = args
  for (const key of pointer.slice(1).split('/')) value = (value as Record<string, unknown> | undefined)?.[key]
  return value
}
