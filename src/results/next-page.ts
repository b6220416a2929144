import type { ReplyHeaders } from '../upstream/answers/flight.ts'

/** A header's value as a whole number; undefined for anything else, an empty one included. */
export const numberOf = (value: string | string[] | undefined): number | undefined =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined

/** The number of the page after the one that was answered; undefined on the last. */
export const nextPageOf = (headers: ReplyHeaders): number | undefined =>
  numberOf(headers['x-next-page']) ?? nextOfLink(headers.link)

/** Large lists of some forges come without x-next-page but with RFC 8288 links. */
function nextOfLink(link: string | string[] | undefined): number | undefined {
  const next = /<([^<>]*)>;\s*rel="next"/.exec(String(link ?? ''))?.[1]
  return numberOf(/[?&]page=(\d+)/.exec(next ?? '')?.[1])
}
