import type { ReplyHeaders } from '../upstream/connections/flight.ts'

/** A header's value as a whole number; undefined for anything else, also for an empty value. */
export const numberOf = (value: string | string[] | undefined): number | undefined =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined

/** The number of the next page; undefined after the last one. */
export const nextPageOf = (headers: ReplyHeaders): number | undefined =>
  numberOf(headers['x-next-page']) ?? nextOfLink(headers.link)

/** Some forges send large lists without x-next-page, but with links (RFC 8288). */
function nextOfLink(link: string | string[] | undefined): number | undefined {
  const next = /<([^<>]*)>;\s*rel="next"/.exec(String(link ?? ''))?.[1]
  return numberOf(/[?&]page=(\d+)/.exec(next ?? '')?.[1])
}
