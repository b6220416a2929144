import type { Dispatcher } from 'undici'
import { parsedUrl } from '../../base/parsed-url.ts'
import { DAY_MS } from '../../base/units.ts'
import type { Reply } from '../../upstream/answers/answer.ts'
import type { DispatcherBounds } from '../../upstream/connections/dispatcher.ts'
import type { ReplyHeaders } from '../../upstream/connections/reply-headers.ts'
import { isOfOwnLimits } from '../../upstream/connections/transport-fault.ts'
import { ForgeError } from '../../upstream/errors.ts'
import { type AddressPolicy, checkHost, ForbiddenAddressError } from '../../upstream/hosts/addresses.ts'
import { plainHeaders } from '../../upstream/plain-headers.ts'
import { exchange } from '../../upstream/reading/exchange.ts'
import { OAuthError } from '../rules/error.ts'
import { type Client, readClientMetadata } from '../rules/registration.ts'

/*
 * Client ids that are the URL of a document about the client (OAuth Client ID Metadata Document, as MCP uses it).
 * Anybody can supply such a URL, so the fetch is bounded in every way and goes to public addresses only. The host name
 * is checked here, which is the only possible check if a proxy resolves it. The addresses of the host are checked at
 * each connect.
 */

/** Settings of the dispatcher for documents: strangers choose the hosts, so no connection is kept open. */
export const documentDispatch: { addresses: () => AddressPolicy; bounds: DispatcherBounds } = {
  addresses: () => publicOnly,
  bounds: {
    // Many more than the turns of one address, so that its requests to a slow page leave room for others at the same
    // host.
    connections: 64,
    headersMs: 5_000,
    maxHeaderBytes: 16 * 1024,
    keepAlive: false,
    // Enough for the longest certificates, head and body, but not for endless TLS session tickets and key updates.
    mostBytes: 40 * 1024
  }
}

const publicOnly: AddressPolicy = { denyPrivate: true }

const MAX_BYTES = 5 * 1024
const DEADLINE_MS = 5_000
const MAX_URL = 512

/** Bounds on how long a document stays valid, whatever its Cache-Control says, in milliseconds. */
const MIN_TTL_MS = 5 * 60_000
const MAX_TTL_MS = DAY_MS

/**
 * The host gave no answer, or one that says nothing about the document. A document that is already known may still be
 * valid.
 */
export class UnansweredDocumentError extends OAuthError {}

/** The limits of this service prevented the request. This says nothing about the document or its host. */
export class UnaskedDocumentError extends UnansweredDocumentError {}

export interface FoundDocument {
  readonly client: Client
  readonly ttlMs: number
}

/**
 * Whether a client id is the URL of a client document: https with the default port, with a path, and in canonical form.
 */
export function isDocumentUrl(id: string): boolean {
  const url = id.length > MAX_URL || !id.startsWith('https://') ? undefined : parsedUrl(id)
  if (url === undefined) return false
  const plain = url.username === '' && url.password === '' && !/[?#]/.test(id)
  // The comparison refuses dot segments, an explicit port 443, upper-case hosts, and whatever else a parser corrects.
  return plain && url.port === '' && url.pathname !== '/' && url.href === id
}

/**
 * Fetches a client document.
 * @param id a URL as `isDocumentUrl` accepts it
 * @param dispatcher made with `documentDispatch`
 * @param holder who asks; a request that is given up counts for this holder
 * @throws OAuthError invalid_client when there is no usable document; UnansweredDocumentError when there may be one;
 * UnaskedDocumentError (temporarily_unavailable) when the limits of this service prevent the request
 */
export async function fetchDocument(
  id: string,
  dispatcher: Dispatcher,
  userAgent: string,
  holder?: string
): Promise<FoundDocument> {
  const { origin, hostname, pathname } = new URL(id)
  let reply: Reply
  try {
    checkHost(hostname, publicOnly)
    reply = await exchange(
      dispatcher,
      { origin, path: pathname, method: 'GET', headers: plainHeaders(userAgent), holder },
      { maxBytes: MAX_BYTES, deadlineMs: DEADLINE_MS, wants: isDocument }
    )
  } catch (error) {
    if (error instanceof ForgeError && error.fault === 'too-large')
      throw unusable(`it is larger than ${MAX_BYTES / 1024} KiB`)
    if (error instanceof ForgeError && isOfOwnLimits(error)) throw unasked(ofHost(error, hostname))
    // The reason would tell a stranger about the network around this service, so only the log has it.
    if (error instanceof ForgeError || error instanceof ForbiddenAddressError)
      throw unanswered(unreached(hostname), ofHost(error, hostname))
    throw error
  }
  const { status } = reply
  if (status === 404 || status === 410) throw unusable(`it is answered with status ${status}`)
  // Any other status may be the challenge of a firewall, which can also be a page with status 200.
  if (status !== 200) throw unanswered(`it is answered with status ${status}`)
  if (!isDocument(status, reply.headers)) throw unanswered('it is not JSON')
  return { client: readDocument(id, reply.body), ttlMs: ttlOf(reply.headers) }
}

/** The message is the same for every host, whatever the reason was. */
const unreached = (host: string): string =>
  `it cannot be fetched. Tell whoever runs this service: it needs a way to ${host}:443, or FORGE_OAUTH_CLIENT_DOCUMENTS=false`

/**
 * The message of an error, with the host that was asked in place of the forge: the errors are those of requests to the
 * forge.
 */
const ofHost = ({ message }: Error, host: string): string =>
  message.replaceAll(`forge ${host}`, 'forge').replaceAll(/\bthe forge\b/gi, () => host)

const isDocument = (status: number, { 'content-type': type }: ReplyHeaders): boolean =>
  status === 200 && /^application\/(?:[\w.-]+\+)?json\b/i.test(String(type ?? ''))

function readDocument(id: string, body: string): Client {
  let document: Record<string, unknown>
  try {
    document = Object(JSON.parse(body))
  } catch {
    throw unanswered('it is not JSON')
  }
  if (document.client_id !== id) throw unusable('its client_id is not its own URL')
  if (typeof document.client_name !== 'string') throw unusable('it has no client_name')
  if (document.client_secret !== undefined || (document.token_endpoint_auth_method ?? 'none') !== 'none')
    throw unusable('it is not of a public client')
  try {
    return { ...readClientMetadata(document), id }
  } catch (error) {
    throw error instanceof OAuthError ? unusable(error.message, error.hint) : error
  }
}

const unusable = (why: string, hint?: string, Kind = OAuthError): OAuthError =>
  new Kind(400, 'invalid_client', `The client metadata document cannot be used: ${why}.`, hint)

const unanswered = (why: string, hint?: string) => unusable(why, hint, UnansweredDocumentError)

const unasked = (hint: string) =>
  new UnaskedDocumentError(
    503,
    'temporarily_unavailable',
    'Too much is under way here to fetch the client metadata document. Try again in a moment.',
    hint
  )

function ttlOf({ 'cache-control': control }: ReplyHeaders): number {
  const seconds = Number(/(?:^|[\s,])max-age=(\d{1,9})/.exec(String(control ?? ''))?.[1] ?? 0)
  return Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, seconds * 1000))
}
