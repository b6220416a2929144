import type { AuthFailure, Rejection } from '../../metrics/metrics.ts'
import { code, errorText, internalErrorText, type RequestId } from './jsonrpc.ts'
import { MOST_NAMES, messageShape } from './message-text.ts'

/** The kind of refusal, for the metrics: either of the caller, or of a request that may have been valid. */
type CountedReason = AuthFailure | Rejection

/** A request on /mcp that is refused before the protocol sees it: an HTTP status and a JSON-RPC error. */
export class Refusal extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  readonly reason: CountedReason | undefined
  constructor(
    status: number,
    message: string,
    options: { code?: number; headers?: Record<string, string>; reason?: CountedReason } = {}
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
 * The answer to a message that failed, where an HTTP status is not possible: in a batch, on a stream that has begun, or
 * over stdio.
 */
export const failureText = (error: unknown, id: RequestId | undefined, requestId: string): string =>
  error instanceof Refusal ? errorText(id, error.code, error.message) : internalErrorText(id, requestId)

/* The refusals of /mcp. `why` and `message` reach the caller, so they must not contain a token. */

/**
 * Neither a credential nor a session.
 * @param ended whether the request has the id of an ended session, which its client may consider sufficient
 */
export const missingCredential = (ended: boolean) =>
  new Refusal(
    401,
    `Missing Authorization or Private-Token header: send Private-Token, JOB-TOKEN or Authorization: Bearer.${ended ? ' The session of Mcp-Session-Id has ended: initialize another.' : ''}`,
    { reason: 'missing' }
  )
/**
 * The same in stateless mode, where a session id alone is sufficient.
 * @param knowsSessions whether the revision of the request has any
 */
export const authenticationRequired = (knowsSessions: boolean) =>
  new Refusal(
    401,
    `Authentication required: send Private-Token, JOB-TOKEN or Authorization: Bearer${knowsSessions ? ', or a session id' : '; a session id is not read in this revision'}.`,
    { reason: 'missing' }
  )
/** @param why one sentence on why the header that was sent is unusable */
export const badCredential = (why: string) =>
  new Refusal(401, `Invalid credential: ${why}`, { reason: 'format' })
/** Status 404, which tells a client to initialize again (MCP, Streamable HTTP, session management). */
export const sessionNotFound = () =>
  new Refusal(404, 'Session not found', { code: code.sessionNotFound, reason: 'session' })
/** No room for another session, forge or large body; the client may retry in 10 seconds. */
export const overCapacity = (message: string) =>
  new Refusal(503, message, { headers: { 'retry-after': '10' }, reason: 'capacity' })
/** A body that arrives too slowly. */
export const slowBody = () =>
  new Refusal(408, 'The body came too slowly: send at least 8 KiB a second.', {
    headers: { connection: 'close' },
    reason: 'slow'
  })
/** A body whose sender has gone. Nobody reads this answer, but it is not an error of the service. */
export const callerGone = () => new Refusal(499, 'The caller has gone.')
/** A body in so many small pieces that they cost more than its bytes. */
export const crumbledBody = () =>
  new Refusal(413, 'The body came in too many small pieces: send it in larger ones.', {
    code: code.invalidRequest,
    headers: { connection: 'close' }
  })
/** A rate limit: whose it is, what is limited, and the name under which it is counted. */
export interface Rate {
  readonly holder: 'a session' | 'a caller'
  readonly of: 'requests' | 'calls that change things'
  readonly reason: 'rate_limit' | 'write_limit'
  /** A minute. */
  readonly limit: number
}
const exceeded = ({ holder, limit, of }: Rate) => `Rate limit exceeded: ${holder} has ${limit} ${of} a minute`
/**
 * With the RateLimit header fields for HTTP, draft 6. `remaining` may be above zero if a batch does not fit.
 * @param seconds until the next calls are accepted
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
/** Too many requests for /metrics from one address. */
export const tooManyScrapes = (limit: number, seconds: number) =>
  new Refusal(429, `Rate limit exceeded: an address has ${limit} scrapes a minute.`, {
    headers: { 'retry-after': String(seconds) },
    reason: 'scrape_limit'
  })
/** A batch that exceeds the limit itself: no wait is given, because waiting does not help. */
export const neverFits = (rate: Rate) =>
  new Refusal(429, `${exceeded(rate)}, and the batch has more.`, { reason: rate.reason })
/** @param seconds until other credentials from its address are checked again */
export const tooManyFailures = (seconds: number) =>
  new Refusal(
    429,
    `Too many rejected credentials from this address. Try again in ${seconds} s, with a valid one.`,
    { headers: { 'retry-after': String(seconds) }, reason: 'failed_credentials' }
  )
/** Refused under overload before any work was done; the client may retry in 10 seconds. */
export const overloaded = () =>
  new Refusal(503, 'The server is overloaded. Try again later.', {
    headers: { 'retry-after': '10' },
    reason: 'overload'
  })

/* For X-Forge-API-URL: not the URL of a forge, missing although needed, or not allowed by the operator. */
export const invalidApiUrl = () =>
  new Refusal(
    400,
    'Invalid custom API URL provided: X-Forge-API-URL must be the http or https URL of a forge or of its REST API, without user, query or fragment, and in ASCII: other letters of a host as xn--…, those of a path percent-encoded.',
    { reason: 'url_invalid' }
  )
/** @param knowsSessions whether the revision of the request has any */
export const missingApiUrl = (knowsSessions: boolean) =>
  new Refusal(
    400,
    `Missing X-Forge-API-URL header: name the forge, such as https://gitlab.example, on ${knowsSessions ? 'the request that starts a session' : 'each request'}.`,
    { reason: 'url_missing' }
  )
export const forbiddenApiUrl = (why: string) =>
  new Refusal(403, `The forge of X-Forge-API-URL may not be used here. ${why}`, { reason: 'url_forbidden' })

/** Largest body, or line over stdio, in bytes. */
export const maxBodyBytes = 4 * 1024 * 1024

/** For a body over any transport. */
export const tooLarge = () =>
  new Refusal(413, `The message is larger than ${maxBodyBytes / 1024 / 1024} MiB: send less at once.`, {
    code: code.invalidRequest
  })

/** For a compressed body, whose content could have any size. */
export const encodedBody = () =>
  new Refusal(415, 'Content-Encoding is not supported: send the body as it is.', {
    code: code.invalidRequest,
    headers: { 'accept-encoding': 'identity' }
  })

/** For a body that could not be read within its limits of time or memory. */
export const tooCostly = () =>
  new Refusal(413, 'The message is too expensive to parse: send a smaller one.', {
    code: code.invalidRequest
  })

/* For a body that is not JSON, and for one that is too complex to process. */
export const unparsable = (why: string) => new Refusal(400, `Parse error: ${why}`, { code: code.parse })
export const misshapen = (fault: 'deep' | 'wide' | 'names') =>
  fault === 'deep'
    ? unparsable(`the body is nested deeper than ${messageShape.depth} levels.`)
    : tooMuch(
        fault === 'wide'
          ? `${messageShape.values} values, or too many fields whose names are numbers`
          : `${MOST_NAMES} different names of fields`
      )
const tooMuch = (what: string) =>
  new Refusal(413, `The body has more than ${what}.`, { code: code.invalidRequest })
