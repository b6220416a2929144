import { LRUCache } from 'lru-cache'
import { atMost } from '../../collections/at-most.ts'
import { retryAfterSeconds, TOO_MANY_REQUESTS } from '../answers/answer.ts'
import { TOO_MANY_CONNECTIONS } from '../connections/open-connections.ts'
import type { ReplyHeaders } from '../connections/reply-headers.ts'
import { TUNNEL_TIMEOUT } from '../connections/tunnels.ts'
import { ForgeError } from '../errors.ts'

/*
 * When a read is retried. A write never is: nobody can tell whether it was done. This process sends the requests of all
 * callers of a forge, so the load that retries add to a forge in trouble is limited by a budget.
 */

const retryLimits = {
  retries: 2,
  /** The first wait is half to all of this; the next one twice as long. */
  firstWaitMs: 200,
  /** If a forge asks for a longer wait, there is no retry, and the caller is told. */
  longestWaitMs: 5_000
} as const

const statuses = new Set([TOO_MANY_REQUESTS, 502, 503, 504])

/** Transport failures that may be temporary: not a name that does not exist, nor a certificate that is not trusted. */
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  TOO_MANY_CONNECTIONS,
  TUNNEL_TIMEOUT
])

const mayPass = (error: unknown): boolean =>
  error instanceof ForgeError && codes.has((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '')

export interface AttemptOutcome {
  readonly status?: number
  readonly headers?: ReplyHeaders
  readonly error?: unknown
}

/**
 * Milliseconds to wait before a retry.
 * @param attempt the number of retries so far, from 0
 * @param now clock in milliseconds, for Retry-After as a date
 * @param random from 0 to 1
 * @returns undefined if there must be no retry
 */
export function retryWait(
  attempt: number,
  { status, headers, error }: AttemptOutcome,
  now: () => number,
  random: () => number
): number | undefined {
  if (attempt >= retryLimits.retries) return undefined
  if (status === undefined ? !mayPass(error) : !statuses.has(status)) return undefined
  const jittered = retryLimits.firstWaitMs * 2 ** attempt * (0.5 + random() / 2)
  const asked = retryAfterSeconds(headers?.['retry-after'], now())
  if (asked === undefined) return jittered
  // Randomized, so that callers who were told the same do not all retry at the same moment.
  return asked * 1000 > retryLimits.longestWaitMs ? undefined : asked * 1000 + jittered / 2
}

/** In tenths of a retry: the largest balance of all callers of a forge together, and of one of them. */
const ALL = 100
const EACH = 50
const RETRY = 10

/** Most callers whose spending is remembered; beyond that, the least recently used has its full share again. */
const MAX_CALLERS = 1_000

/**
 * Limits the retries at one forge to a tenth of its calls, ten at once. One caller may retry a tenth of its own calls,
 * five at once: otherwise a caller whose calls all fail, as with a rate-limited token, would leave no retries to the
 * others.
 */
export class RetryBudget {
  #tenths = ALL
  /** What is left for callers who have spent some. */
  readonly #callers = new LRUCache<string, { tenths: number }>(atMost(MAX_CALLERS))

  /** Counts a first attempt. @param caller the name under which its failures are counted */
  earn(caller: string): void {
    if (this.#tenths < ALL) this.#tenths++
    const own = this.#callers.size === 0 ? undefined : this.#callers.get(caller)
    if (own !== undefined && ++own.tenths >= EACH) this.#callers.delete(caller)
  }

  /** Takes one retry. @returns false if there is none left */
  spend(caller: string): boolean {
    const own = this.#callers.get(caller) ?? { tenths: EACH }
    if (this.#tenths < RETRY || own.tenths < RETRY) return false
    this.#tenths -= RETRY
    own.tenths -= RETRY
    this.#callers.set(caller, own)
    return true
  }
}
