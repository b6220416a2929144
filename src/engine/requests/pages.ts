import { MIB } from '../../base/units.ts'
import { isRecord } from '../../results/is-record.ts'
import { nextLinkOf, nextPageOf } from '../../results/next-page.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import type { ReplyHeaders } from '../../upstream/connections/reply-headers.ts'
import type { Place } from '../../upstream/place.ts'
import { listOf } from './record.ts'

/*
 * Reads whole lists, for tools that have no page arguments or look for something in a list. The reading is bounded: an
 * endless list of a hostile forge must not keep a call running.
 */

/** Most records that a forge sends in one answer. */
export const PAGE = 100
/** Most pages that are read for one call. The largest diff of a forge has 3,000 files. */
const MAX_PAGES = 50
/**
 * Characters of JSON after which no further page is requested. A page may be as large as any answer, and parsed JSON
 * takes many times its length in memory. The largest diff of a forge has 15 million characters.
 */
const MAX_CHARS = 16 * MIB

export type Records = readonly Record<string, unknown>[]

interface PageLimits {
  /** Most pages to read; default MAX_PAGES. */
  readonly maxPages?: number
  /** Records in a page; default PAGE. */
  readonly perPage?: number
}

/**
 * Reads a list page by page while the forge names a next page, by x-next-page or a Link header. A short page does not
 * mean the end, as a forge filters after paging. A page may have more records than requested, as some lists are sent
 * whole, but all pages together may not exceed the limit.
 * @param place with or without a query, without page and per_page
 * @param take called with the records of each page; it returns whether to `stop`
 * @returns true if there is more to read: a limit (pages, records or characters) ended the reading, or the forge names
 *   the next page in another way than by a number
 * @throws errors of ForgeClient.send; CallProblem if an answer is not a list
 */
export async function eachPage(
  forge: ForgeClient,
  place: Place,
  take: (records: Records) => 'stop' | undefined,
  { maxPages = MAX_PAGES, perPage = PAGE }: PageLimits = {}
): Promise<boolean> {
  const { path, template } = place
  const base = `${path}${path.includes('?') ? '&' : '?'}per_page=${perPage}&page=`
  let page = 1
  let [records, chars] = [maxPages * perPage, MAX_CHARS]
  for (let read = 1; ; read++) {
    const { value, headers, size } = await forge.send({ method: 'GET', path: `${base}${page}`, template })
    const list = listOf(value)
    if (take(list.slice(0, records).filter(isRecord)) === 'stop') return false
    if (list.length > records) return true
    records -= list.length
    chars -= size
    const next = nextPageOf(headers)
    if (next === undefined) return nextLinkOf(headers) !== undefined
    if (next <= page) return false
    if (read >= maxPages || records === 0 || chars <= 0) return true
    page = next
  }
}

interface AllPages extends PageLimits {
  /** Returns the part of each record to keep; default all of it. */
  readonly pick?: (record: Record<string, unknown>) => Record<string, unknown>
}

/** A whole list, and a notice if it was longer than the limit. @throws errors of ForgeClient.send */
export async function allPages(
  forge: ForgeClient,
  place: Place,
  { pick, ...limits }: AllPages = {}
): Promise<{ records: Records; notices: readonly string[] }> {
  const records: Record<string, unknown>[] = []
  const more = await eachPage(
    forge,
    place,
    page => {
      for (const record of page) records.push(pick === undefined ? record : pick(record))
      return undefined
    },
    limits
  )
  return { records, notices: more ? [cutNotice(records.length)] : [] }
}

/** Records of a page if the call gives no size: the default of forges (GitLab: REST API, offset-based pagination). */
const DEFAULT_SIZE = 20

/**
 * Cuts a page out of a list that was read to its end because the forge has no filter for it, with the headers that a
 * forge would send for that page.
 * @param records that the filter leaves; a value that is not a list has no pages
 * @param asked `page`, from 1, and `per_page` @param isCounted whether the headers have the numbers of records and
 *   pages
 */
export function pageOf(
  records: unknown,
  { page = 1, per_page: size = DEFAULT_SIZE }: Readonly<Record<string, unknown>>,
  isCounted: boolean
): { readonly value: unknown; readonly page?: ReplyHeaders } {
  if (!Array.isArray(records)) return { value: records }
  const [at, length] = [Number(page), Number(size)]
  const pages = Math.ceil(records.length / length)
  return {
    value: records.slice((at - 1) * length, at * length),
    page: {
      'x-page': String(at),
      'x-per-page': String(length),
      ...(isCounted && { 'x-total': String(records.length), 'x-total-pages': String(pages) }),
      ...(at < pages && { 'x-next-page': String(at + 1) })
    }
  }
}

/** The notice that the list has more records than were read. */
export const cutNotice = (read: number): string =>
  `Only the first ${read} records were read; the forge has more.`
