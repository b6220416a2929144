import type { ReplyHeaders } from '../upstream/connections/reply-headers.ts'
import { nextLinkOf, nextPageOf } from './next-page.ts'
import { ArgumentError } from './problem.ts'

/*
 * Keyset pages: the forge names the next page in a `Link` header, by a query parameter whose name differs from list to
 * list; an older forge names it by its number only. The caller gets one opaque text, which includes the parameter's
 * name unless that is `page_token`, and sends it back as the argument page_token.
 */

/**
 * The forge's names for the parameter of the next page: `id_before` if ids descend, `page` for forges without keyset
 * pages of the list.
 */
const names = ['page_token', 'id_after', 'id_before', 'cursor', 'page'] as const
const named = new RegExp(`^(${names.slice(1).join('|')})=(.+)$`)

/** The token of the next page; undefined on the last page. */
export function nextPageToken(headers: ReplyHeaders): string | undefined {
  const address = nextLinkOf(headers)
  if (address === undefined) {
    const page = nextPageOf(headers)
    return page === undefined ? undefined : `page=${page}`
  }
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1))
  const name = names.find(name => query.get(name))
  if (name === undefined) return undefined
  const value = query.get(name)!
  return name === 'page_token' ? value : `${name}=${value}`
}

/** The query parameter that a token stands for. @throws ArgumentError for a token that no list can have returned */
export function tokenParameter(token: string): readonly [name: string, value: string] {
  if (token === '' || token.length > 1000)
    throw new ArgumentError('page_token', 'is none: take it from next_page_token of the page before')
  const [, name, value] = named.exec(token) ?? []
  return name === undefined ? ['page_token', token] : [name, value!]
}
