import { tokenParameter } from '../../results/page-token.ts'
import type { ForgeRequest } from '../../upstream/request.ts'
import type { Arguments, Values } from '../arguments/values.ts'
import type { RestRow } from '../rows/row.ts'
import { queryOf } from './query.ts'
import { fitting, parseTemplates, requestOf, type Template } from './template.ts'

/** The fields of a row that define its request. Custom rows use the same for requests of their own. */
type RequestOf = Pick<RestRow, 'request' | 'choose' | 'local' | 'numeric' | 'rename' | 'fixed'>

/** @param args values for the placeholders @param values for the query or body, except those that fill a placeholder */
export type Planner = (args: Arguments, values: Values) => ForgeRequest

/**
 * Prepares a row's request. Of several templates, the first whose placeholders all have values is used. All other
 * arguments go to the query (GET, DELETE) or the JSON body (POST, PUT).
 * @returns a function from arguments to the request, which throws ArgumentError for a value that cannot be in a path
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
      rest[sentAs] = numeric.has(name) ? asNumber(sent) : sent
    }
    return rest
  }
  return (args, values) => {
    const chosen = row.choose?.(args)
    const template = fitting(chosen === undefined ? all : parsed.get(chosen)!, args)
    const rest = restOf(template, values)
    if (template.verb === 'POST' || template.verb === 'PUT')
      return { ...requestOf(template, args), body: rest }
    return requestOf(template, args, queryOf(rest))
  }
}

const asNumber = (value: unknown): unknown => (/^\d{1,15}$/.test(String(value)) ? Number(value) : value)
