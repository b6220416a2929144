import type { IncomingHttpHeaders } from 'node:http'
import { asWritten, holderOf } from '../../base/holders.ts'
import type { LoginCaller } from '../rules/login-caller.ts'

/*
 * What browsers say about the origin of a request (W3C Fetch Metadata), which no page can change or omit. They send it
 * only over https and to loopback addresses, and say `none` for requests that do not come from a page.
 */

interface Request {
  readonly id: string
  readonly ip: string
  readonly headers: IncomingHttpHeaders
}

const isForeign = (site: string | undefined): boolean => site === 'cross-site' || site === 'same-site'

/**
 * Whether a page of another origin makes the request to load, frame or prefetch the URL, so that a person would not see
 * the answer as a page of this service.
 */
export const isWithinPage = (headers: IncomingHttpHeaders): boolean =>
  isForeign(headers['sec-fetch-site']) &&
  (headers['sec-fetch-mode'] !== 'navigate' ||
    (headers['sec-fetch-dest'] ?? 'document') !== 'document' ||
    headers['sec-purpose'] !== undefined)

/**
 * The holder that a step of a login is counted for: an address, or all pages of other origins that are open at that
 * address. Anybody can write such pages, so they must not use up the limit of the applications at that address.
 */
export function counted({ ip, headers }: Pick<Request, 'ip' | 'headers'>): string {
  const { 'sec-fetch-site': site, origin } = headers
  const isOfPage = site === undefined ? origin !== undefined : isForeign(site)
  return isOfPage ? `pages at ${holderOf(ip)}` : holderOf(ip)
}

export const loginCallerOf = (request: Request): LoginCaller => ({
  holder: counted(request),
  ip: asWritten(request.ip),
  requestId: request.id
})
