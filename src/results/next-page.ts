import type { ReplyHeaders } from '../upstream/connections/reply-headers.ts'

/** A header's value as a whole number; undefined for anything else, including an empty value. */
export const numberOf = (value: string | string[] | undefined): number | undefined =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined

/** The number of the next page; undefined after the last one. For large lists, some forges send it only in a link. */
export const nextPageOf = (headers: ReplyHeaders): number | undefined =>
  numberOf(headers['x-next-page']) ?? numberOf(/[?&]page=(\d+)/.exec(nextLinkOf(headers) ?? '')?.[1])

/** The address of the next page, if the forge links to one (RFC 8288). */
export const nextLinkOf = ({ link }: ReplyHeaders): string | undefined =>
  /<([^<>]*)>;\s*rel="next"/.exec(String(link ?? ''))?.[1]
