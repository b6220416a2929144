import { retrySeconds } from '../../base/retry-seconds.ts'
import type { Variable } from '../../config/schema.ts'
import { Refusal } from './refusal.ts'

/* The refusals for want of room or turns: the same request may be taken later, unless it never fits. */

/** No room for another session, forge or large body. */
export const overCapacity = (message: string) =>
  new Refusal(503, message, { headers: { 'retry-after': String(retrySeconds.room) }, reason: 'capacity' })

/** A rate limit: whose it is, what is limited, and the name under which it is counted. */
export interface Rate {
  readonly holder: 'a session' | 'a caller'
  readonly of: 'requests' | 'requests without a session of its own' | 'calls that change things'
  readonly reason: 'rate_limit' | 'write_limit'
  /** The variable that sets it, for the log. */
  readonly variable: Variable
  /** A minute. */
  readonly limit: number
}

const told = ({ holder, limit, of }: Rate) => `${holder} has ${limit} ${of} a minute`
const hinted = (rate: Rate) => `${rate.variable}: ${told(rate)}.`

/**
 * With the RateLimit header fields for HTTP, draft 6. `remaining` may be above zero if a batch does not fit.
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

/** A batch that exceeds the limit itself: no wait is given, because waiting does not help. */
export const neverFits = (rate: Rate) =>
  new Refusal(429, `Rate limit exceeded: ${told(rate)}, and the batch has more.`, {
    reason: rate.reason,
    hint: `${hinted(rate)} The batch has more.`
  })

/** @param seconds until other credentials from its address are checked again */
export const tooManyFailures = (seconds: number) =>
  new Refusal(
    429,
    `Too many rejected credentials from this address. Try again in ${seconds} s, with a valid one.`,
    { headers: { 'retry-after': String(seconds) }, reason: 'failed_credentials' }
  )

/** Refused under overload before any work was done. */
export const overloaded = () =>
  new Refusal(503, 'The server is overloaded. Try again later.', {
    headers: { 'retry-after': String(retrySeconds.room) },
    reason: 'overload'
  })
