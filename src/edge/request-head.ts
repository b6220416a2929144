import type { IncomingMessage } from 'node:http'

/** Headers of one request; clients and the proxies before them send a tenth of them. */
export const MOST_HEADERS = 200

/** What a request takes of memory, in bytes: all that is made for it, each name and value, and a character. */
const REQUEST_BYTES = 8 * 1024
const TEXT_BYTES = 64

type Head = Pick<IncomingMessage, 'rawHeaders'>

export const hasTooManyHeaders = ({ rawHeaders }: Head): boolean => rawHeaders.length > 2 * MOST_HEADERS

/** About what a request takes of memory before anything is known of it: a thousand tiny headers take ten times their characters. */
export function headBytes({ rawHeaders }: Head): number {
  let bytes = REQUEST_BYTES + TEXT_BYTES * rawHeaders.length
  for (const text of rawHeaders) bytes += text.length
  return bytes
}
