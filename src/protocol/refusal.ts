import type { AuthFailure, Rejection } from '../metrics/metrics.ts'
import { code, errorText, internalErrorText, type RequestId } from './jsonrpc.ts'
import { MOST_NAMES, messageShape } from './message-text.ts'

/** What kind of refusal it is, for the metrics: of who calls, or of a request that may have been a good one. */
export type RefusalReason = AuthFailure | Rejection

/** A request on /mcp that is refused before the protocol sees it: an HTTP status and a JSON-RPC error. */
export class Refusal extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  readonly reason: RefusalReason | undefined
  constructor(
    status: number,
    message: string,
    options: { code?: number; headers?: Record<string, string>; reason?: RefusalReason } = {}
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = options.code ?? code.refused
    this.headers = options.headers ?? {}
    this.reason = options.reason
  }
}

/**
 * The answer to a message whose serving threw, where it cannot be an HTTP status: in a batch, on a stream that has
 * begun, over stdio.
 */
export const failureText = (error: unknown, id: RequestId | undefined, requestId: string): string =>
  error instanceof Refusal ? errorText(id, error.code, error.message) : internalErrorText(id, requestId)

/* The refusals of /mcp. `why` and `message` reach the caller, so they hold no token. */

/**
 * Neither a credential nor a session.
 * @param ended whether there is the id of one that has ended, which its client may take for enough
 */
export const missingCredential = (ended: boolean) =>
  new Refusal(
    401,
    `Missing Authorization or Private-Token header: send Private-Token, JOB-TOKEN or Authorization: Bearer.${ended ? ' The session of Mcp-Session-Id has ended: initialize another.' : ''}`,
    { reason: 'missing' }
  )
/**
 * The same in stateless mode, where a session id alone is enough.
 * @param knowsSessions whether the revision of the request has any
 */
export const authenticationRequired = (knowsSessions: boolean) =>
  new Refusal(
    401,
    `Authentication required: send Private-Token, JOB-TOKEN or Authorization: Bearer${knowsSessions ? ', or a session id' : '; a session id is not read in this revision'}.`,
    { reason: 'missing' }
  )
/** @param why one sentence; the header was there but is of no use */
export const badCredential = (why: string) =>
  new Refusal(401, `Invalid credential: ${why}`, { reason: 'format' })
/** 404: by it a client knows to initialize again (MCP, Streamable HTTP, session management). */
export const sessionNotFound = () =>
  new Refusal(404, 'Session not found', { code: code.sessionNotFound, reason: 'session' })
/** No room for another session, forge or large body; to be tried again in 10 seconds. */
export const overCapacity = (message: string) =>
  new Refusal(503, message, { headers: { 'retry-after': '10' }, reason: 'capacity' })
/** A body of which hardly anything comes. */
export const slowBody = () =>
  new Refusal(408, 'The body came too slowly: send at least 8 KiB a second.', {
    headers: { connection: 'close' },
    reason: 'slow'
  })
/** A body whose sender has left: nobody reads this, but its end is not a fault of the service. */
export const callerGone = () => new Refusal(499, 'The caller has gone.')
/** A body that costs more by its pieces than by its bytes. */
export const crumbledBody = () =>
  new Refusal(413, 'The body came in too many small pieces: send it in larger ones.', {
    code: code.invalidRequest,
    headers: { connection: 'close' }
  })
/** What is limited: whose it is, what of it, and as what it is counted. */
export interface Rate {
  readonly holder: 'a session' | 'a caller'
  readonly of: 'requests' | 'calls that change things'
  readonly reason: 'rate_limit' | 'write_limit'
  /** A minute. */
  readonly limit: number
}
const exceeded = ({ holder, limit, of }: Rate) => `Rate limit exceeded: ${holder} has ${limit} ${of} a minute`
/**
 * With the RateLimit header fields for HTTP, draft 6. A batch may not fit where something is left.
 * @param seconds until the next calls are taken
 */
export const rateLimited = (rate: Rate, remaining: number, seconds: number) =>
  new Refusal(429, `${exceeded(rate)}. Retry in ${seconds} s.`, {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-limit': String(rate.limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(seconds)
    },
    reason: rate.reason
  })
/** Of /metrics, by one address. */
export const tooManyScrapes = (limit: number, seconds: number) =>
  new Refusal(429, `Rate limit exceeded: an address has ${limit} scrapes a minute.`, {
    headers: { 'retry-after': String(seconds) },
    reason: 'rate_limit'
  })
/** A batch that no wait makes fit, so that none is named. */
export const neverFits = (rate: Rate) =>
  new Refusal(429, `${exceeded(rate)}, and the batch has more.`, { reason: rate.reason })
/** @param seconds until others of its address are asked about again */
export const tooManyFailures = (seconds: number) =>
  new Refusal(
    429,
    `Too many rejected credentials from this address. Try again in ${seconds} s, with a valid one.`,
    { headers: { 'retry-after': String(seconds) }, reason: 'failed_credentials' }
  )
/** Shed before any work was done for it; to be tried again in 10 seconds. */
export const overloaded = () =>
  new Refusal(503, 'The server is overloaded. Try again later.', {
    headers: { 'retry-after': '10' },
    reason: 'overload'
  })

/* Of X-Forge-API-URL: no URL of a forge, none where one is needed, one that the operator does not allow. */
export const invalidApiUrl = () =>
  new Refusal(
    400,
    'Invalid custom API URL provided: X-Forge-API-URL must be the http or https URL of a forge or of its REST API, without user, query or fragment.',
    { reason: 'url_invalid' }
  )
export const missingApiUrl = () =>
  new Refusal(
    400,
    'Missing X-Forge-API-URL header: name the forge, such as https://gitlab.example, on the request that starts a session.',
    { reason: 'url_missing' }
  )
export const forbiddenApiUrl = (why: string) =>
  new Refusal(403, `The forge of X-Forge-API-URL may not be used here. ${why}`, { reason: 'url_forbidden' })

/** Of a body, or a line over stdio: in bytes. */
export const maxBodyBytes = 4 * 1024 * 1024

/** Of a body, whichever transport it came by. */
export const tooLarge = () =>
  new Refusal(413, `The message is larger than ${maxBodyBytes / 1024 / 1024} MiB.`, {
    code: code.invalidRequest
  })

/** Of a body that is packed: what is in it could be of any size. */
export const encodedBody = () =>
  new Refusal(415, 'Content-Encoding is not supported: send the body as it is.', {
    code: code.invalidRequest,
    headers: { 'accept-encoding': 'identity' }
  })

/** Of a body that could not be read in its time or memory. */
export const tooCostly = () =>
  new Refusal(413, 'The message is too expensive to parse: send a smaller one.', {
    code: code.invalidRequest
  })

/* Of a body: what is no JSON, and what is JSON of a shape that costs too much to look at. */
export const unparsable = (why: string) => new Refusal(400, `Parse error: ${why}`, { code: code.parse })
export const misshapen = (fault: 'deep' | 'wide' | 'names') =>
  fault === 'deep'
    ? unparsable(`the body is nested deeper than ${messageShape.depth} levels.`)
    : tooMuch(fault === 'wide' ? `${messageShape.values} values` : `${MOST_NAMES} different names of fields`)
const tooMuch = (what: string) =>
  new Refusal(413, `The body has more than ${what}.`, { code: code.invalidRequest })
