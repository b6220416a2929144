import type { IncomingMessage } from 'node:http'
import { ownText } from '../own-text.ts'

const HEADER = 'x-forwarded-for'

/** Of the list of addresses, the nearest are looked at: as many characters as those of sixteen proxies take. */
const MOST_CHARS = 16 * 48

/**
 * The address of the caller of a request, behind the proxies that are trusted. In the headers it takes the place of the
 * list that leads to it, which whoever comes after walks again at each use.
 * @param walk finds it in the list
 */
export function callerAddress(
  request: IncomingMessage,
  walk: (request: IncomingMessage) => string
): string | undefined {
  const { headers, socket } = request
  const list = headers[HEADER]
  if (typeof list !== 'string') return socket.remoteAddress
  headers[HEADER] = nearest(list)
  // Kept wherever something is counted by address.
  const caller = ownText(walk(request))
  headers[HEADER] = caller
  return caller
}

function nearest(list: string): string {
  if (list.length <= MOST_CHARS) return list
  const last = list.slice(-MOST_CHARS)
  // What begins before may be part of an address.
  return last.slice(last.indexOf(',') + 1)
}
