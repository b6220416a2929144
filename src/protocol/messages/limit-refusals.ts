import { retrySeconds } from '../../base/retry-seconds.ts'
import type { Variable } from '../../config/schema.ts'
import { Refusal } from './refusal.ts'

/* Refusals because no room or turn is left. The same request may succeed later, unless it can never fit. */

/** No room for another session, forge or large body. @param message which of them, for the caller and for the log */
export const overCapacity = (message: string) =>
  new Refusal(503, message, {
    headers: { 'retry-after': String(retrySeconds.room) },
    reason: 'capacity',
    hint: message
  })

/** A rate limit: whose limit it is, what it limits, and the name under which refusals are counted. */
export interface Rate {
  readonly holder: 'a session' | 'a caller'
  readonly of: 'requests' | 'requests without a session of its own' | 'calls that change things'
  readonly reason: 'rate_limit' | 'write_limit'
  /** The variable that sets the limit, for the log. */
  readonly variable: Variable
  /** Per minute. */
  readonly limit: number
}

const told = ({ holder, limit, of }: Rate) => `${holder} has ${limit} ${of} a minute`
const hinted = (rate: Rate) => `${rate.variable}: ${told(rate)}.`

/**
 * Sends the RateLimit header fields for HTTP, draft 6. `remaining` may be above zero if a batch does not fit.
 * @param seconds until the next calls are accepted
 */
export const rateLimited = (rate: Rate, remaining: number, seconds: number) =>
  new Refusal(429, `Rate limit exceeded: ${told(rate)}. Retry in ${seconds} s.`, {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-limit': String(rate.limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(seconds)
    },
    reason: rate.reason,
    hint: hinted(rate)
  })

/** Too many requests for /metrics from one address. */
export const tooManyScrapes = (limit: number, seconds: number) =>
  new Refusal(429, `Rate limit exceeded: an address has ${limit} scrapes a minute.`, {
    headers: { 'retry-after': String(seconds) },
    reason: 'scrape_limit'
  })

/** A batch that exceeds the whole limit: the answer names no time to wait, because waiting does not help. */
export const neverFits = (rate: Rate) =>
  new Refusal(429, `Rate limit exceeded: ${told(rate)}, and the batch has more.`, {
    reason: rate.reason,
    hint: `${hinted(rate)} The batch has more.`
  })

/** @param seconds until other credentials from the caller's address are checked again */
export const tooManyFailures = (seconds: number) =>
  new Refusal(
    429,
    `Too many rejected credentials from this address. Try again in ${seconds} s, with a valid one.`,
    { headers: { 'retry-after': String(seconds) }, reason: 'failed_credentials' }
  )

/** Refused because of overload, before any work was done. */
export const overloaded = () =>
  new Refusal(503, 'The server is overloaded. Try again later.', {
    headers: { 'retry-after': String(retrySeconds.room) },
    reason: 'overload'
  })
