import type { RestRow } from '../catalog/row.ts'
import { tokenParameter } from '../results/page-token.ts'
import type { ForgeRequest } from '../upstream/client.ts'
import { queryOf } from './query.ts'
import { fillTemplate, fitting, parseTemplates, type Template } from './template.ts'

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
    const query = queryOf(rest)
    return { method: template.verb, path: query === '' ? path : `${path}?${query}`, template: template.path }
  }
}

const numberIn = (value: unknown): unknown => (/^\d{1,15}$/.test(String(value)) ? Number(value) : value)
