import { isRecord } from '../results/is-record.ts'
import { nextPageOf } from '../results/next-page.ts'
import type { ForgeClient } from '../upstream/client.ts'
import type { Place } from '../upstream/place.ts'
import { listOf } from './record.ts'

/*
 * Lists that a tool reads to their end, because it has no page arguments or looks for something in them.
 * How far is bounded: a hostile or endless list must not hold a call for ever.
 */

/** Pages read for one call; 100 records each. The forge's own largest diff has 3,000 files. */
export const MAX_PAGES = 50
/**
 * Characters of JSON after which no further page is asked for. A page may be as large as any answer, and parsed
 * JSON takes many times its length. The forge's own largest diff has 15 million.
 */
const MAX_CHARS = 16 * 1024 * 1024

export type Records = readonly Record<string, unknown>[]

export interface PageLimits {
  /** Most pages to read; default MAX_PAGES. */
  readonly maxPages?: number
  /** Records a page; default 100, the most a forge gives. */
  readonly perPage?: number
}

/**
 * Reads a list page by page, going on while the forge names a next page (x-next-page or a Link header; a
 * short page says nothing, since a forge filters after paging). A page may have more records than were asked
 * for, as some lists come whole; all pages together may not.
 * @param place with or without a query, without page and per_page
 * @param take gets each page's records, and says whether to `stop`
 * @returns true when a ceiling ended it (pages, records or characters) and there is more to read
 * @throws what ForgeClient.send throws, CallProblem when an answer is no list
 */
export async function eachPage(
  forge: ForgeClient,
  place: Place,
  take: (records: Records) => 'stop' | undefined,
  { maxPages = MAX_PAGES, perPage = 100 }: PageLimits = {}
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
    if (next === undefined || next <= page) return false
    if (read >= maxPages || records === 0 || chars <= 0) return true
    page = next
  }
}

export interface AllPages extends PageLimits {
  /** What is kept of each record; default all. */
  readonly pick?: (record: Record<string, unknown>) => Record<string, unknown>
}

/** A whole list, and a notice when it was longer than the ceiling. @throws what ForgeClient.send throws */
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

/** Says that a list goes on after what was read. */
export const cutNotice = (read: number): string =>
  `Only the first ${read} records were read; the forge has more.`
