import type { RestRow } from '../catalog/row.ts'
import type { ForgeRequest } from '../upstream/forge.ts'
import { fillTemplate, parseTemplate } from './template.ts'

/** The only list the forge documents as comma-joined in a query; all others are sent as `name[]`. */
const commaJoined = new Set(['labels'])

type Values = Readonly<Record<string, unknown>>

/** What of a row makes its request; a custom row may write the same for its own. */
export type RequestOf = Pick<RestRow, 'request' | 'local' | 'numeric' | 'rename' | 'fixed'>

/** @param args fill the placeholders @param values go to the query or body, besides those that fill one */
export type Planner = (args: Values, values: Values) => ForgeRequest

/**
 * Prepares a row's request: the template with all its placeholders given, then every other argument in the
 * query (GET, DELETE) or the JSON body (POST, PUT).
 * @returns a function from arguments to the request; it throws ArgumentError for a value unfit for a path
 */
export function planner(row: RequestOf): Planner {
  const templates = (typeof row.request === 'string' ? [row.request] : row.request).map(parseTemplate)
  const local = new Set(row.local)
  const numeric = new Set(row.numeric)
  return (args, values) => {
    const template =
      templates.find(({ names }) => names.every(name => args[name] !== undefined)) ?? templates.at(-1)!
    const path = fillTemplate(template, args)
    const rest: Record<string, unknown> = { ...row.fixed }
    for (const name in values) {
      const value = values[name]
      if (value === undefined || local.has(name) || template.names.includes(name)) continue
      rest[row.rename?.[name] ?? name] =
        numeric.has(name) && /^\d{1,15}$/.test(String(value)) ? Number(value) : value
    }
    if (template.verb === 'POST' || template.verb === 'PUT')
      return { method: template.verb, path, template: template.path, body: rest }
    return { method: template.verb, path: path + queryOf(rest), template: template.path }
  }
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(values)
  if (entries.length === 0) return ''
  const query = new URLSearchParams()
  for (const [name, value] of entries) {
    if (!Array.isArray(value)) query.append(name, String(value))
    else if (value.length === 0) continue
    else if (commaJoined.has(name)) query.append(name, value.join(','))
    else for (const item of value) query.append(`${name}[]`, String(item))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
