import type { RestRow } from '../catalog/row.ts'
import type { ForgeRequest } from '../upstream/client.ts'
import { tokenParameter } from './page-token.ts'
import { ArgumentError } from './problem.ts'
import { fillTemplate, fitting, parseTemplates, type Template } from './template.ts'

/** The lists the forge documents as comma-joined in a query; all others are sent as `name[]`. */
const commaJoined = new Set(['labels', 'tag_list'])

/** Characters of a query; a longer URL is refused by every server, and making one takes time. */
const MAX_QUERY = 16_384

type Values = Readonly<Record<string, unknown>>

/** What of a row makes its request; a custom row may write the same for its own. */
export type RequestOf = Pick<RestRow, 'request' | 'choose' | 'local' | 'numeric' | 'rename' | 'fixed'>

/** @param args fill the placeholders @param values go to the query or body, besides those that fill one */
export type Planner = (args: Values, values: Values) => ForgeRequest

/**
 * Prepares a row's request: the template with all its placeholders given, then every other argument in the
 * query (GET, DELETE) or the JSON body (POST, PUT).
 * @returns a function from arguments to the request; it throws ArgumentError for a value unfit for a path
 */
export function planner(row: RequestOf): Planner {
  const parsed = new Map([row.request].flat().map(request => [request, parseTemplates(request)]))
  const all = [...parsed.values()].flat()
  const local = new Set(row.local)
  const numeric = new Set(row.numeric)
  const nameOf = (name: string) => row.rename?.[name] ?? name
  const restOf = ({ names }: Template, values: Values) => {
    const rest: Record<string, unknown> = { ...row.fixed }
    for (const name in values) {
      const value = values[name]
      if (value === undefined || local.has(name) || names.includes(name)) continue
      const [sentAs, sent] =
        name === 'page_token' ? tokenParameter(String(value)) : ([nameOf(name), value] as const)
      rest[sentAs] = numeric.has(name) ? numberIn(sent) : sent
    }
    return rest
  }
  return (args, values) => {
    const chosen = row.choose?.(args)
    const template = fitting(chosen === undefined ? all : parsed.get(chosen)!, args)
    const path = fillTemplate(template, args)
    const rest = restOf(template, values)
    if (template.verb === 'POST' || template.verb === 'PUT')
      return { method: template.verb, path, template: template.path, body: rest }
    return { method: template.verb, path: path + queryOf(rest), template: template.path }
  }
}

const numberIn = (value: unknown): unknown => (/^\d{1,15}$/.test(String(value)) ? Number(value) : value)

/** @throws ArgumentError naming the argument with which it gets too long */
function queryOf(values: Values): string {
  let query = ''
  let room = MAX_QUERY
  for (const [name, value] of Object.entries(values))
    for (const [key, text] of pairsOf(name, value)) {
      room -= key.length + text.length
      if (room < 0)
        throw new ArgumentError(name, `is too long for a URL: a query may have ${MAX_QUERY} characters`)
      query += `${query === '' ? '?' : '&'}${inQuery(key)}=${inQuery(text)}`
    }
  return query
}

/** Nearly all names and values are of these, and stand for themselves. */
const plain = /^[\w.-]*$/

const inQuery = (text: string): string =>
  plain.test(text) ? text : new URLSearchParams({ '': text }).toString().slice(1)

/** How a value stands in a query: a list as `name[]`, an object as `name[key]`. */
function pairsOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) {
    if (value.length > 0 && commaJoined.has(name)) return [[name, value.join(',')]]
    return value.map(item => [`${name}[]`, String(item)])
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, String(item)])
  return [[name, String(value)]]
}
