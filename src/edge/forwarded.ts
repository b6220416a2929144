import type { IncomingMessage } from 'node:http'
import { ownText } from '../own-text.ts'

const HEADER = 'x-forwarded-for'

/** Of the list of addresses, the nearest are looked at: as many characters as those of sixteen proxies take. */
const MOST_CHARS = 16 * 48

/** An address with a port, or in brackets, as some gateways write it: each connection would be of another one. */
const withPort = /(?<![^,\s])(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-f:.]+)\])(?::\d{1,5})?(?![^,\s])/gi

/**
 * The address of the caller of a request, behind the proxies that are trusted. In the headers it takes the place of the
 * list that leads to it, which whoever comes after walks again at each use.
 * @param walk finds it in the list
 * @returns undefined for a connection that was reset while its request was read: it has no address any more
 */
export function callerAddress(
  request: IncomingMessage,
  walk: (request: IncomingMessage) => string | undefined
): string | undefined {
  const { headers, socket } = request
  const list = headers[HEADER]
  if (typeof list !== 'string') return socket.remoteAddress
  headers[HEADER] = withoutPorts(nearest(list))
  const caller = walk(request)
  if (caller === undefined) return undefined
  // Kept wherever something is counted by address.
  headers[HEADER] = ownText(caller)
  return headers[HEADER]
}

const withoutPorts = (list: string): string =>
  list.includes(':') ? list.replace(withPort, (_, v4?: string, v6?: string) => v4 ?? v6!) : list

function nearest(list: string): string {
  if (list.length <= MOST_CHARS) return list
  const last = list.slice(-MOST_CHARS)
  // What begins before may be part of an address.
  return last.slice(last.indexOf(',') + 1)
}
