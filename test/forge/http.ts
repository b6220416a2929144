import type { Reading } from './contract.ts'
import type { Credential, ForgeState } from './state.ts'
import type { User } from './types.ts'

/** A request with a valid credential that keeps the contract. */
export interface Call {
  state: ForgeState
  user: User
  credential: Credential
  params: Reading['params']
  query: Reading['query']
  body: Reading['body']
  method: string
  /** The raw path, for the Link header. */
  path: string
  search: string
  headers: Record<string, string | string[] | undefined>
}

/** The answer of an operation. Without a body the reply is empty. */
export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

export type Operations = Record<string, (call: Call) => Reply>

/** An error answer in the forge's own words. */
export class ForgeError extends Error {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`${status}`)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** `{"message": …}` with a status, the shape of GitLab's render_api_error!. */
export const refuse = (status: number, message: unknown) => new ForgeError(status, { message })
/** The 404 of a route that names the missing thing: "404 <Thing> Not Found". */
export const notFound = (thing: string) => refuse(404, `404 ${thing} Not Found`)
/** The 404 of a failed record lookup: "404 Not found" with a small f (rescue of RecordNotFound). */
export const recordNotFound = () => refuse(404, '404 Not found')
export const forbidden = (reason?: string) =>
  refuse(403, reason ? `403 Forbidden - ${reason}` : '403 Forbidden')
export const unauthorized = () => refuse(401, '401 Unauthorized')
export const badRequest = (reason: string) => refuse(400, `400 Bad request - ${reason}`)

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const created = (body: unknown): Reply => ({ status: 201, body })
export const accepted = (body?: unknown): Reply => ({ status: 202, body })
export const noContent = (): Reply => ({ status: 204 })
export const text = (body: string): Reply => ({
  status: 200,
  body,
  headers: { 'content-type': 'text/plain' }
})

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

/** A query value as text; the first element of an array. */
export const queryText = (call: Call, name: string): string | undefined => first(call.query[name])
/** A query value as a list, split at commas like Grape's CommaSeparatedToArray. */
export const queryList = (call: Call, name: string): string[] | undefined => {
  const value = call.query[name]
  if (value === undefined) return undefined
  return (Array.isArray(value) ? value : value.split(','))
    .map(item => item.trim())
    .filter(item => item !== '')
}
export const queryFlag = (call: Call, name: string) => queryText(call, name) === 'true'

/** A body value as text; undefined if it was not given. */
export const bodyText = (call: Call, name: string): string | null | undefined => {
  const value = call.body[name]
  return value === undefined || value === null ? value : String(value)
}
export const bodyFlag = (call: Call, name: string): boolean | undefined => {
  const value = call.body[name]
  return typeof value === 'boolean' ? value : undefined
}
/** A body value as a list. It may be a JSON array or a text joined by commas. */
export const bodyList = (call: Call, name: string): string[] | undefined => {
  const value = call.body[name]
  if (value === undefined || value === null) return undefined
  const items = Array.isArray(value)
    ? value.flatMap(item => String(item).split(','))
    : String(value).split(',')
  return items.map(item => item.trim()).filter(item => item !== '')
}

/**
 * One page of `rows` by key (docs: REST API, keyset-based pagination). The next page begins after the key of the last
 * row. Only the Link header gives that key.
 */
export const pagedByKey = <T>(
  call: Call,
  rows: readonly T[],
  keyOf: (row: T) => string,
  present: (row: T) => unknown
): Reply => {
  const perPage = Number(queryText(call, 'per_page') ?? 20)
  const token = queryText(call, 'page_token')
  const start = token === undefined ? 0 : rows.findIndex(row => keyOf(row) === token) + 1
  if (token !== undefined && start === 0) throw refuse(422, `Invalid page token: ${token}`)
  const page = rows.slice(start, start + perPage)
  const params = new URLSearchParams(call.search)
  if (page.length > 0) params.set('page_token', keyOf(page.at(-1)!))
  const next = `<${call.state.url}${call.path}?${params}>; rel="next"`
  return {
    status: 200,
    headers: start + perPage < rows.length ? { link: next } : {},
    body: page.map(present)
  }
}

/**
 * One page of `rows` with the forge's headers for offset pagination (docs: REST API, offset-based pagination).
 * x-next-page and x-prev-page are empty at the ends; Link has prev, next, first and last.
 */
export const paged = <T>(call: Call, rows: readonly T[], present: (row: T) => unknown): Reply => {
  const page = Number(queryText(call, 'page') ?? 1)
  const perPage = Number(queryText(call, 'per_page') ?? 20)
  const pages = Math.max(1, Math.ceil(rows.length / perPage))
  const next = page < pages ? page + 1 : undefined
  const prev = page > 1 && page <= pages + 1 ? page - 1 : undefined
  const link = (target: number, rel: string) => {
    const params = new URLSearchParams(call.search)
    params.set('page', String(target))
    params.set('per_page', String(perPage))
    return `<${call.state.url}${call.path}?${params}>; rel="${rel}"`
  }
  const links = [
    prev === undefined ? undefined : link(prev, 'prev'),
    next === undefined ? undefined : link(next, 'next'),
    link(1, 'first'),
    link(pages, 'last')
  ]
  return {
    status: 200,
    headers: {
      link: links.filter(entry => entry !== undefined).join(', '),
      'x-next-page': String(next ?? ''),
      'x-page': String(page),
      'x-per-page': String(perPage),
      'x-prev-page': String(prev ?? ''),
      'x-total': String(rows.length),
      'x-total-pages': String(pages)
    },
    body: rows.slice((page - 1) * perPage, page * perPage).map(present)
  }
}
