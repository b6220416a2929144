import type { ReplyHeaders } from '../upstream/connections/reply-headers.ts'
import { jsonOf } from './clean.ts'
import { nextLinkOf, nextPageOf, numberOf } from './next-page.ts'
import { nextPageToken } from './page-token.ts'

/**
 * The message for a page beyond the end of a list, with the number of pages if the forge counts them; undefined for any
 * other page.
 */
function pastTheEnd(headers: ReplyHeaders, isEmpty: boolean): string | undefined {
  const [page, pages, total] = ['x-page', 'x-total-pages', 'x-total'].map(name => numberOf(headers[name]))
  if (page === undefined || page === 1) return undefined
  if (pages === undefined) return isEmpty ? `There is no page ${page}: the list ends before it.` : undefined
  if (page <= Math.max(pages, 1)) return undefined
  return `There is no page ${page}: the list has ${pages}${total === undefined ? '' : `, ${total} records in all`}.`
}

/** The message for a list whose next page the tool has no argument for. */
const goesOn = (inputs: ReadonlySet<string>): string =>
  `The list goes on after these records, and this tool cannot read its next page: ask for less of it${inputs.has('per_page') ? ', or with a larger per_page' : ''}.`

/**
 * Says that a list has more pages, as JSON with totals if the forge sends them; or says in a sentence that the
 * requested page does not exist, or that the next one cannot be read.
 * @param headers of the forge's answer @param inputs the tool's argument names @param isEmpty whether no record came
 */
export function paginationOf(
  headers: ReplyHeaders,
  inputs: ReadonlySet<string>,
  isEmpty: boolean
): string | undefined {
  // A tool with page tokens does not need page numbers, unless it takes both.
  const token = inputs.has('page_token') ? nextPageToken(headers) : undefined
  const next = nextPageOf(headers)
  const isUnread = next === undefined ? nextLinkOf(headers) !== undefined : !inputs.has('page')
  if (token !== undefined && !(inputs.has('page') && token.startsWith('page=')))
    return jsonOf({ pagination: { next_page_token: token } })
  if (isUnread) return goesOn(inputs)
  if (next === undefined) return pastTheEnd(headers, isEmpty)
  const known: [string, number | undefined][] = [
    ['page', numberOf(headers['x-page'])],
    ['per_page', numberOf(headers['x-per-page'])],
    ['next_page', next],
    ['total', numberOf(headers['x-total'])],
    ['total_pages', numberOf(headers['x-total-pages'])]
  ]
  return jsonOf({ pagination: Object.fromEntries(known.filter(([, value]) => value !== undefined)) })
}
