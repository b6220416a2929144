import type { IncomingMessage } from 'node:http'

/** Most headers of one request; clients and the proxies in front of this server send a tenth of that. */
export const MOST_HEADERS = 200

/** Memory that a request takes, in bytes: the objects made for it, each name and value, and each character. */
const REQUEST_BYTES = 8 * 1024
const TEXT_BYTES = 64

type Head = Pick<IncomingMessage, 'rawHeaders'>

export const hasTooManyHeaders = ({ rawHeaders }: Head): boolean => rawHeaders.length > 2 * MOST_HEADERS

/**
 * Estimates the memory of a request, in bytes, before anything is known of it: a thousand tiny headers take ten times
 * their characters.
 */
export function headBytes({ rawHeaders }: Head): number {
  let bytes = REQUEST_BYTES + TEXT_BYTES * rawHeaders.length
  for (const text of rawHeaders) bytes += text.length
  return bytes
}
