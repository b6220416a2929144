import { checkGraphql } from './contract-graphql.ts'
import {
  type FieldSpec,
  findOperation,
  type Match,
  methodsOf,
  type Operation
} from './contract-operations.ts'
import { checkJson, checkQuery } from './contract-values.ts'
import { readForm } from './form.ts'

export { findOperation, type Match, type Operation, operations } from './contract-operations.ts'

/**
 * A request as it would go over the wire. `body` is the JSON value or its text; for a form, its bytes or their latin1
 * text.
 */
interface WireRequest {
  method: string
  url: string
  body?: unknown
}

/** A parsed request: the operation that it matches, and every breach of the contract. */
export interface Reading {
  match?: Match
  params: Record<string, string>
  query: Record<string, string | string[]>
  body: Record<string, unknown>
  problems: string[]
  /** Faults that the forge accepts. */
  remarks: string[]
}

const PER_PAGE_MAX = 100

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const splitUrl = (url: string) => {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/#.*$/, '')
  const mark = path.indexOf('?')
  return mark < 0 ? { path, search: '' } : { path: path.slice(0, mark), search: path.slice(mark + 1) }
}

const readPath = (match: Match, reading: Reading) => {
  for (const [name, raw] of Object.entries(match.params)) {
    const value = decode(raw)
    const types = [match.operation.path_params[name]?.type ?? 'string'].flat()
    if (value === undefined) reading.problems.push(`${name} is invalid (malformed percent escape)`)
    else if (value.split('/').some(part => part === '.' || part === '..'))
      reading.problems.push(`${name} is invalid (dot segment)`)
    else if (!types.includes('string') && !/^\d+$/.test(value))
      reading.problems.push(`${name} is invalid (integer expected, got ${JSON.stringify(value)})`)
    else if (name === 'id' && /%[0-9a-f]{2}/i.test(value))
      reading.problems.push(`${name} is invalid (percent-encoded twice)`)
    reading.params[name] = value ?? raw
  }
}

const collectQuery = (search: string) => {
  const keys = new Map<string, { values: string[]; listed: boolean }>()
  for (const [raw, value] of new URLSearchParams(search)) {
    const listed = raw.endsWith('[]')
    const key = listed ? raw.slice(0, -2) : raw
    const entry = keys.get(key) ?? { values: [], listed }
    entry.values.push(value)
    entry.listed ||= listed
    keys.set(key, entry)
  }
  return keys
}

const readQuery = (operation: Operation, search: string, reading: Reading) => {
  for (const [key, { values, listed }] of collectQuery(search)) {
    const spec = operation.query[key]
    if (!spec) {
      const field = operation.body[key]
      if (field) takeFromQuery(key, field, values, listed, reading)
      else reading.problems.push(`${key} is not a declared query parameter; the forge would not honour it`)
      continue
    }
    reading.problems.push(...checkQuery(key, spec, values, listed))
    if (key === 'per_page' && Number(values[0]) > PER_PAGE_MAX)
      reading.problems.push(`per_page is above ${PER_PAGE_MAX}; the forge would clamp it silently`)
    if ((key === 'page' || key === 'per_page') && Number(values[0]) < 1)
      reading.problems.push(`${key} is below 1`)
    reading.query[key] = listed ? values.flatMap(value => value.split(',')) : (values[0] ?? '')
  }
  for (const [key, spec] of Object.entries(operation.query)) {
    if (spec.required && !(key in reading.query)) reading.problems.push(`${key} is missing`)
  }
}

/**
 * Takes a body field from the query. Grape accepts it there, and some clients send it so, but it then appears in every
 * log.
 */
const takeFromQuery = (key: string, spec: FieldSpec, values: string[], listed: boolean, reading: Reading) => {
  reading.remarks.push(`${key} belongs in the body; in the query it ends in logs`)
  reading.problems.push(...checkQuery(key, spec, values, listed))
  const [value = ''] = values
  const type = [spec.type].flat()[0]
  reading.body[key] = type === 'boolean' ? value === 'true' : type === 'array' && listed ? values : value
}

const parseBody = (body: unknown, reading: Reading): Record<string, unknown> => {
  if (body === undefined || body === null || body === '') return {}
  let value = body
  // Clients send null for a call without options. Grape takes it for a missing body.
  if (typeof body === 'string' && body.trim() === 'null') return {}
  if (typeof body === 'string') {
    try {
      value = JSON.parse(body)
    } catch {
      reading.problems.push('the body is not JSON')
      return {}
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  reading.problems.push('the body is not a JSON object')
  return {}
}

const readBody = (operation: Operation, body: unknown, reading: Reading) => {
  Object.assign(reading.body, operation.media === undefined ? parseBody(body, reading) : readForm(body))
  const bodiless = operation.method === 'GET' || operation.method === 'DELETE'
  if (bodiless && Object.keys(reading.body).length > 0)
    reading.problems.push(`${operation.method} carries a body`)
  for (const [key, value] of Object.entries(reading.body)) {
    const spec = operation.body[key]
    // Grape checks neither the type nor the value of an optional parameter that is null.
    if (value === null && spec && !spec.required && !spec.nullable) {
      delete reading.body[key]
      continue
    }
    if (spec) reading.problems.push(...checkJson(key, spec, value))
    else reading.problems.push(`${key} is not a declared body key; the forge would drop it silently`)
  }
  for (const [key, spec] of Object.entries(operation.body)) {
    if (spec.required && !(key in reading.body)) reading.problems.push(`${key} is missing`)
  }
}

const checkGroups = (operation: Operation, reading: Reading) => {
  const given = (group: string[]) => group.filter(key => key in reading.query || key in reading.body)
  for (const group of operation.mutually_exclusive ?? []) {
    if (given(group).length > 1) reading.problems.push(`${given(group).join(', ')} are mutually exclusive`)
  }
  for (const group of operation.exactly_one_of ?? []) {
    if (given(group).length > 1) reading.problems.push(`${group.join(', ')} are mutually exclusive`)
    if (given(group).length === 0)
      reading.problems.push(`${group.join(', ')} are missing, exactly one parameter must be provided`)
  }
  for (const group of operation.at_least_one_of ?? []) {
    if (given(group).length === 0)
      reading.problems.push(`${group.join(', ')} are missing, at least one parameter must be provided`)
  }
}

/**
 * Parses a REST request and finds every breach. The rules are those of the forge's OpenAPI document and Grape's
 * coercions.
 */
export const readRequest = ({ method, url, body }: WireRequest): Reading => {
  const reading: Reading = { params: {}, query: {}, body: {}, problems: [], remarks: [] }
  const { path, search } = splitUrl(url)
  const start = path.indexOf('/api/v4/')
  const segments = start < 0 ? [] : path.slice(start + '/api/v4/'.length).split('/')
  const match = findOperation(method, segments)
  if (!match) {
    const others = start < 0 ? [] : methodsOf(segments)
    const hint = others.length > 0 ? ` (the contract has ${others.join(', ')})` : ''
    reading.problems.push(`no operation ${method} ${path}${hint}`)
    return reading
  }
  reading.match = match
  readPath(match, reading)
  readQuery(match.operation, search, reading)
  readBody(match.operation, body, reading)
  checkGroups(match.operation, reading)
  return reading
}

/**
 * Says how a request breaks the forge's published contract, with one sentence per breach. An empty list means that the
 * request keeps the contract. Undeclared keys count as breaches, because the forge silently drops them and the caller
 * does not notice.
 */
export const checkRequest = (request: WireRequest): string[] => {
  const { path } = splitUrl(request.url)
  if (path.endsWith('/api/graphql')) return checkGraphql(request)
  const { match, problems, remarks } = readRequest(request)
  return match
    ? [...remarks, ...problems].map(problem => `${match.operation.operation}: ${problem}`)
    : problems
}
