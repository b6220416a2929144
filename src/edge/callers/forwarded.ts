import type { IncomingMessage } from 'node:http'
import { ownText } from '../../collections/own-text.ts'

const HEADER = 'x-forwarded-for'

/**
 * Only the end of the list of addresses is read, which names the nearest proxies. These characters are enough for
 * sixteen of them.
 */
const MAX_CHARS = 16 * 48

/**
 * An address with a port, or in brackets, as some gateways write it. If the port were kept, each connection would count
 * as another address.
 */
const withPort = /(?<![^,\s])(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-f:.]+)\])(?::\d{1,5})?(?![^,\s])/gi

/**
 * Finds the address of the caller of a request, behind the trusted proxies. The address replaces the list in the
 * headers, which later readers would otherwise walk again each time.
 * @param walk finds the caller's address in the list
 * @returns undefined for a connection that was reset while its request was read, and so has no address any more
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
  // Copied, because the address is kept wherever something is counted by address: a slice would keep the whole header
  // in memory.
  headers[HEADER] = ownText(caller)
  return headers[HEADER]
}

/**
 * Matches every address, and none of the words that proxies write in its place: `unknown`, `unix:`, or a name such as
 * `_hidden`.
 */
const ADDRESS = /^[\da-f]*[:.][\da-f:.]*(?:%|$)/i

/**
 * Whether the caller's address is known. If not, it shares its limits with all callers that have the same name (RFC
 * 7239, section 6).
 */
export const isToldByAddress = (caller: string): boolean => ADDRESS.test(caller)

const withoutPorts = (list: string): string =>
  list.includes(':') ? list.replace(withPort, (_, v4?: string, v6?: string) => v4 ?? v6!) : list

function nearest(list: string): string {
  if (list.length <= MAX_CHARS) return list
  const last = list.slice(-MAX_CHARS)
  // The first entry may be cut off in the middle.
  return last.slice(last.indexOf(',') + 1)
}
