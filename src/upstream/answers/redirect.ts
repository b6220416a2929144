import { STATUS_CODES } from 'node:http'
import { decodings } from '../../base/decodings.ts'
import { isOfWeb } from '../../base/host-names.ts'
import { parsedUrl } from '../../base/parsed-url.ts'
import type { ReplyHeaders } from '../connections/reply-headers.ts'
import { checkApiUrl, ForgeError, Intercepted } from '../errors.ts'
import { ForbiddenAddressError } from '../hosts/addresses.ts'
import { ForbiddenHostError, type HostPolicy } from '../hosts/hosts.ts'
import type { Reply } from './answer.ts'

/*
 * Redirects are followed here and not by the HTTP client: across hosts, clients drop Authorization (Fetch standard,
 * HTTP-redirect fetch) but keep Private-Token and JOB-TOKEN.
 */

/** Where a request goes. */
export interface Hop {
  readonly origin: string
  /** Encoded, with its query. */
  readonly path: string
}

const MAX_REDIRECTS = 5
const statuses = new Set([301, 302, 303, 307, 308])

/** Whether a status sends the reader on to another URL (RFC 9110 section 15.4). */
export const isRedirect = (status: number): boolean => statuses.has(status)

/**
 * A redirect without the parts that nobody reads, so that it takes little memory until the answer behind it has
 * arrived. Any other answer is returned as it is.
 */
export const withoutRest = (reply: Reply): Reply => {
  if (!isRedirect(reply.status)) return reply
  const { location } = reply.headers
  return { status: reply.status, headers: { ...(location !== undefined && { location }) }, body: '' }
}

/**
 * The next hop of a redirected read. Every URL that this service requests because of a forge's answer is checked here.
 * @param hops how many redirects were followed before this one
 * @param policy tells which hosts may be asked
 * @throws ForgeError bad-answer if it has no valid target, is a loop, or leaves HTTP; forbidden if the policy refuses
 * its target
 */
export function nextHop(from: Hop, { location }: ReplyHeaders, hops: number, policy?: HostPolicy): Hop {
  if (hops >= MAX_REDIRECTS)
    throw new ForgeError('bad-answer', `The forge redirects in circles: ${checkApiUrl}.`)
  const base = `${from.origin}${from.path}`
  const url = typeof location !== 'string' || location === '' ? undefined : parsedUrl(location, base)
  if (url === undefined) throw new ForgeError('bad-answer', `The forge redirects to nowhere: ${checkApiUrl}.`)
  if (!isOfWeb(url))
    throw new ForgeError('bad-answer', `The forge redirects to something that is not HTTP: ${checkApiUrl}.`)
  if (url.origin !== from.origin) allow(url, policy)
  return { origin: url.origin, path: url.pathname + url.search }
}

/**
 * Refuses redirects to pages and files of projects and groups. These are below `/-/`, outside the API, and get no
 * credential. Some paths of the API itself contain `/-/`, too, such as those of searches.
 * @param apiPath of the REST API, such as /api/v4
 * @throws Intercepted
 */
export function refusePages(status: number, { path }: Hop, apiPath: string): void {
  const [place = ''] = path.split('?', 1)
  if (place.startsWith(`${apiPath}/`)) return
  if (decodings(place)?.every(form => !form.includes('/-/')) !== true) throw notFollowed(status)
}

export const notFollowed = (status: number): Intercepted =>
  new Intercepted(
    status,
    `The forge answered ${status} ${STATUS_CODES[status]}, a redirect that is not followed: ${checkApiUrl}.`
  )

function allow(url: URL, policy: HostPolicy | undefined): void {
  try {
    policy?.check(url)
  } catch (error) {
    if (!(error instanceof ForbiddenHostError || error instanceof ForbiddenAddressError)) throw error
    throw new ForgeError(
      'forbidden',
      `The forge redirects to where this service does not go. ${error.message}`,
      {
        cause: error
      }
    )
  }
}
