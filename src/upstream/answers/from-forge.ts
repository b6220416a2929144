import { STATUS_CODES } from 'node:http'
import { checkApiUrl, ForgeError, Intercepted } from '../errors.ts'
import type { HostPolicy } from '../hosts/hosts.ts'
import type { ForgeRequest } from '../request.ts'
import {
  isPageIn,
  isSuccess,
  isText,
  parsedOf,
  type Reply,
  readBody,
  refuseMarkup,
  TOO_MANY_REQUESTS
} from './answer.ts'
import { type Parsed, readJson } from './answer-text.ts'
import { isMadeByStatus, refuseUnexpected } from './expected.ts'
import { type Hop, isRedirect, nextHop, notFollowed, refusePages } from './redirect.ts'
import { forgeWordsOf, saidOf, scrub, titleOf } from './said.ts'

/*
 * Decides whether an answer is the forge's own. This is done within the exchange, so that the log, the metrics, the
 * audit line, the guard and the caller all get the same verdict.
 */

/** The request that an answer belongs to. */
export interface AnsweredRequest extends Hop {
  /** Path of the REST API, such as /api/v4, if a redirect on the same origin is followed; undefined if none is. */
  readonly follows: string | undefined
  /**
   * The request, if its answer has to be a record or list; undefined if the reader decides whether the answer can be
   * used.
   */
  readonly given: Pick<ForgeRequest, 'method' | 'template'> | undefined
  /** How many redirects have led to it; default none. */
  readonly hops?: number
  readonly hosts?: HostPolicy | undefined
  /** The caller's, so that an echo of it is removed. */
  readonly token: string
}

/**
 * Adds to an answer the value of its JSON, or what the forge says in a refusal.
 * @throws ForgeError bad-answer for an answer that no forge gives, Intercepted if such an answer refuses or redirects
 * elsewhere; ForgeError forbidden if it redirects to a target that must never be requested
 */
export function fromForge(reply: Reply, asked: AnsweredRequest): Reply {
  const { status, parsed } = reply
  refuseMarkup(reply, asked.token)
  if (isRedirect(status)) {
    refuseRedirect(reply, asked)
    return reply
  }
  if (status >= 400) return { ...reply, ...ofRefusal(reply, asked.token) }
  if (!isSuccess(status)) return { ...reply, detail: saidOf(reply, asked.token) }
  if (status === PARTIAL) throw partOfWhole()
  const read = asked.given && isMadeByStatus(asked.given) ? readWords(reply, asked.token) : readBody(reply)
  if (asked.given !== undefined)
    refuseUnexpected(read?.value, status, asked.given, value => forgeWordsOf(value, asked.token))
  return parsed === undefined ? { ...reply, read } : reply
}

/** The JSON of an answer, or the words of one that is none. @throws as readBody for a page, or JSON of too much */
function readWords(reply: Reply, token: string): Parsed | undefined {
  const { parsed, body, headers } = reply
  if (parsed !== undefined || body === '') return readBody(reply)
  const read = readJson(body)
  if (read.fault !== 'broken' || isPageIn(headers, body)) return parsedOf(read, headers)
  const value = scrub(body, token)
  return { value, size: value.length, weight: 2 * value.length }
}

const PARTIAL = 206

const UNAUTHORIZED = 401

/**
 * Statuses that refuse the size of a request. A proxy in front of a forge may answer them with a page; that does not
 * mean that other requests fail to reach the forge.
 */
const ofAmounts: ReadonlySet<number> = new Set([413, 414, 431])

/**
 * What a refusal says, read once: for the caller and, if the forge is in trouble, for the log. If the refusal is a
 * page, the log gets its title.
 * @throws Intercepted for a page that refuses in place of the forge, or for a gateway that asks for a password of its
 * own
 */
export function ofRefusal(
  reply: Pick<Reply, 'status' | 'headers' | 'body'>,
  token: string
): Pick<Reply, 'detail' | 'says'> {
  const { status, headers, body } = reply
  const isPage = isPageIn(headers, body)
  const detail = saidOf(reply, token)
  if (status >= 500 || status === TOO_MANY_REQUESTS)
    return { detail, says: isPage ? titleOf(body, token) : detail }
  if (isPage ? ofAmounts.has(status) : !asksForPassword(reply)) return { detail }
  const words = isPage ? titleOf(body, token) : detail
  throw new Intercepted(
    status,
    `The forge answered ${status} ${STATUS_CODES[status] ?? 'Unknown'} ${isPage ? 'with a web page' : 'and asks for a password (Basic)'}, which its API does not do: ${checkApiUrl}, and what a firewall before it lets through.`,
    words === '' ? {} : { cause: new Error(words) }
  )
}

/**
 * Whether the refusal of a credential comes from something that asks for a password of its own. Forges ask in this way
 * only for their registries, and in JSON.
 */
export const asksForPassword = ({
  status,
  headers,
  body
}: Pick<Reply, 'status' | 'headers' | 'body'>): boolean =>
  status === UNAUTHORIZED &&
  /(?:^|,)\s*basic\b/i.test(String(headers['www-authenticate'] ?? '')) &&
  (body.trim() === '' || isText(body))

/** The error for a part that was sent although none was asked for. */
export const partOfWhole = (): ForgeError =>
  new ForgeError('bad-answer', 'The forge sent a part of what was asked for whole.')

/** The error for a status that says that there is no content. An empty file has another status. */
export const nothingSent = (): ForgeError =>
  new ForgeError('bad-answer', `The forge answered without what was asked for: ${checkApiUrl}.`)

function refuseRedirect(
  { status, headers }: Reply,
  { follows, hosts, hops = 0, ...from }: AnsweredRequest
): void {
  const hop = nextHop(from, headers, hops, hosts)
  if (hop.origin !== from.origin)
    // Usually an API URL with http:// instead of https://.
    throw new Intercepted(
      status,
      `The forge redirects to ${hop.origin}, another address, and the token stays here: where that is the forge, its API URL has to name it.`
    )
  if (follows === undefined) throw notFollowed(status)
  refusePages(status, hop, follows)
}
