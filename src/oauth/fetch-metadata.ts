import type { IncomingHttpHeaders } from 'node:http'
import { holderOf } from '../edge/address.ts'
import type { Asker } from './proxy.ts'

/*
 * What browsers say of who asks (W3C Fetch Metadata): no page can change it or leave it out. They say it over https and
 * to loopback addresses alone, and of what does not come from a page that its site is none.
 */

interface Request {
  readonly id: string
  readonly ip: string
  readonly headers: IncomingHttpHeaders
}

const isForeign = (site: string | undefined): boolean => site === 'cross-site' || site === 'same-site'

/** Whether a page of another origin asks for it to load, frame or prefetch it, where nobody would see it as what it is. */
export const isWithinPage = (headers: IncomingHttpHeaders): boolean =>
  isForeign(headers['sec-fetch-site']) &&
  (headers['sec-fetch-mode'] !== 'navigate' ||
    (headers['sec-fetch-dest'] ?? 'document') !== 'document' ||
    headers['sec-purpose'] !== undefined)

/**
 * Whom a step of a login counts for: an address, or the pages of other origins that are looked at there. Those anybody
 * writes, and they use up nothing of what is left to the applications at the address.
 */
export function counted({ ip, headers }: Pick<Request, 'ip' | 'headers'>): string {
  const { 'sec-fetch-site': site, origin } = headers
  const isOfPage = site === undefined ? origin !== undefined : isForeign(site)
  return isOfPage ? `pages at ${holderOf(ip)}` : holderOf(ip)
}

export const askerOf = (request: Request): Asker => ({ holder: counted(request), requestId: request.id })
