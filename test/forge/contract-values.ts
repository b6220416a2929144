import { isRecord } from '../../src/results/is-record.ts'
import type { FieldSpec } from './contract-operations.ts'

const DATE_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/
const KEYWORD_ID = /^(\d+|none|any)$/i

const typesOf = (spec: FieldSpec) => (Array.isArray(spec.type) ? spec.type : [spec.type])
const show = (value: unknown) => JSON.stringify(value)?.slice(0, 80)

const checkArray = (name: string, spec: FieldSpec, value: unknown[]): string[] =>
  spec.items ? value.flatMap((item, index) => checkJson(`${name}[${index}]`, spec.items!, item)) : []

const checkObject = (name: string, spec: FieldSpec, value: Record<string, unknown>): string[] => {
  const { properties } = spec
  if (!properties) return []
  const problems = Object.entries(value).flatMap(([key, inner]) => {
    const innerSpec = properties[key]
    return innerSpec ? checkJson(`${name}[${key}]`, innerSpec, inner) : [`${name}[${key}] is not declared`]
  })
  for (const [key, innerSpec] of Object.entries(properties)) {
    if (innerSpec.required && !(key in value)) problems.push(`${name}[${key}] is missing`)
  }
  return problems
}

const checkBounds = (name: string, spec: FieldSpec, value: unknown): string[] => {
  const problems: string[] = []
  const number = Number(value)
  if (spec.minimum !== undefined && number < spec.minimum) problems.push(`${name} is below ${spec.minimum}`)
  if (spec.maximum !== undefined && number > spec.maximum) problems.push(`${name} is above ${spec.maximum}`)
  if (typeof value !== 'string') return problems
  if (spec.max_length !== undefined && value.length > spec.max_length) problems.push(`${name} is too long`)
  if (spec.min_length_described !== undefined && value.length < spec.min_length_described)
    problems.push(`${name} is less than ${spec.min_length_described} characters`)
  if (spec.format === 'date-time' && value !== '' && !DATE_TIME.test(value))
    problems.push(`${name} is invalid (not an ISO 8601 time: ${show(value)})`)
  return problems
}

const checkEnum = (name: string, spec: FieldSpec, value: unknown): string[] =>
  // Query values are texts, whatever their type.
  spec.enum && !spec.enum.some(item => item === value || (typeof item === 'number' && `${item}` === value))
    ? [`${name} does not have a valid value (${show(value)} is none of ${spec.enum.join(', ')})`]
    : []

const fits = (type: string, value: unknown): boolean => {
  // Grape coerces digit strings to Integer and splits comma-joined strings into arrays.
  if (type === 'integer')
    return Number.isInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value))
  if (type === 'array') return Array.isArray(value) || typeof value === 'string'
  if (type === 'object') return isRecord(value)
  return typeof value === type
}

/** Checks one value of a JSON body against its declaration. Each problem is in Grape's words. */
export const checkJson = (name: string, spec: FieldSpec, value: unknown): string[] => {
  if (value === null) return spec.nullable ? [] : [`${name} is invalid (null)`]
  const type = typesOf(spec).find(candidate => fits(candidate, value))
  if (!type) return [`${name} is invalid (${typesOf(spec).join(' or ')} expected, got ${show(value)})`]
  if (Array.isArray(value)) return checkArray(name, spec, value)
  if (type === 'array') return spec.items ? checkJoined(name, spec, String(value)) : []
  if (isRecord(value)) return checkObject(name, spec, value)
  return [...checkEnum(name, spec, value), ...checkBounds(name, spec, value)]
}

const checkJoined = (name: string, spec: FieldSpec, value: string): string[] => {
  if (value === '') return []
  const itemType = spec.items?.type
  if (itemType === 'object') return [`${name} is invalid (array of objects expected)`]
  const items = itemType === 'integer' ? value.split(',') : []
  return items.filter(item => !/^\d+$/.test(item.trim())).map(item => `${name} is invalid (${show(item)})`)
}

const checkScalar = (name: string, spec: FieldSpec, value: string): string[] => {
  const types = typesOf(spec)
  if (types.includes('integer') && types.includes('string') && !KEYWORD_ID.test(value))
    return [`${name} should be an integer, "None" or "Any", however got ${show(value)}`]
  if (types.length === 1 && types[0] === 'integer' && !/^-?\d+$/.test(value))
    return [`${name} is invalid (integer expected, got ${show(value)})`]
  if (types[0] === 'boolean' && !['true', 'false'].includes(value))
    return [`${name} is invalid (true or false expected, got ${show(value)})`]
  if (types[0] === 'object') return [`${name} is invalid (write ${name}[key]=value)`]
  return [...checkEnum(name, spec, value), ...checkBounds(name, spec, value)]
}

/** Checks the values that one query key was given. `listed` says whether the key ended in []. */
export const checkQuery = (name: string, spec: FieldSpec, values: string[], listed: boolean): string[] => {
  const types = typesOf(spec)
  if (!types.includes('array')) {
    if (listed) return [`${name} is invalid (not an array)`]
    if (values.length > 1) return [`${name} is given more than once`]
    return checkScalar(name, spec, values[0] ?? '')
  }
  if (!listed && values.length > 1) return [`${name} is given more than once (repeat it as ${name}[])`]
  const items = values.flatMap(value => value.split(','))
  // If a single value or a list may be given, the enum stands beside the items and applies to both.
  const itemSpec = spec.items && { enum: spec.enum, ...spec.items }
  return itemSpec ? items.flatMap(item => checkScalar(name, itemSpec as FieldSpec, item)) : []
}
