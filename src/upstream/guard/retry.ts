import { LRUCache } from 'lru-cache'
import { atMost } from '../../at-most.ts'
import { retryAfterSeconds } from '../answers/answer.ts'
import type { ReplyHeaders } from '../answers/flight.ts'
import { TOO_MANY_CONNECTIONS } from '../connections/open-connections.ts'
import { ForgeError } from '../errors.ts'

/*
 * When a read is asked again. A write never is: nobody can tell whether it was done. One engine asks
 * for all callers of a forge, so what it adds to the load of a forge in trouble is bounded by a budget.
 */

const retryLimits = {
  retries: 2,
  /** The first wait is half to all of this; the next one twice as long. */
  firstWaitMs: 200,
  /** A forge that asks for more than this tells the caller. */
  longestWaitMs: 5_000
} as const

const statuses = new Set([429, 502, 503, 504])

/** Transport failures that may pass: not a name that does not exist, nor a certificate that is not trusted. */
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  TOO_MANY_CONNECTIONS
])

const mayPass = (error: unknown): boolean =>
  error instanceof ForgeError && codes.has((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '')

export interface Outcome {
  readonly status?: number
  readonly headers?: ReplyHeaders
  readonly error?: unknown
}

/**
 * Milliseconds to wait before asking again.
 * @param attempt how often it was asked before, from 0
 * @param now clock in milliseconds, for Retry-After as a date
 * @param random from 0 to 1
 * @returns undefined when it is not to be asked again
 */
export function retryWait(
  attempt: number,
  { status, headers, error }: Outcome,
  now: () => number,
  random: () => number
): number | undefined {
  if (attempt >= retryLimits.retries) return undefined
  if (status === undefined ? !mayPass(error) : !statuses.has(status)) return undefined
  const jittered = retryLimits.firstWaitMs * 2 ** attempt * (0.5 + random() / 2)
  const asked = retryAfterSeconds(headers?.['retry-after'], now())
  if (asked === undefined) return jittered
  // Not all of those who were told the same at the same moment.
  return asked * 1000 > retryLimits.longestWaitMs ? undefined : asked * 1000 + jittered / 2
}

/** In tenths of a retry: what a forge's callers have at once, and what one of them has. */
const ALL = 100
const EACH = 50
const RETRY = 10

/** Callers who are told apart by what they have spent; the longest unused of more has all of its part again. */
const MAX_CALLERS = 1_000

/**
 * Retries of one forge: a tenth of its calls, ten at once. Of one caller a tenth of its own, five at once: whose calls
 * all fail, as with a token that has asked for too much, would leave none to the others.
 */
export class RetryBudget {
  #tenths = ALL
  /** What is left to those who have spent some. */
  readonly #callers = new LRUCache<string, { tenths: number }>(atMost(MAX_CALLERS))

  /** A first attempt was made. @param caller as whom its failures count */
  earn(caller: string): void {
    if (this.#tenths < ALL) this.#tenths++
    const own = this.#callers.size === 0 ? undefined : this.#callers.get(caller)
    if (own !== undefined && ++own.tenths >= EACH) this.#callers.delete(caller)
  }

  /** @returns false when there is none left */
  spend(caller: string): boolean {
    const own = this.#callers.get(caller) ?? { tenths: EACH }
    if (this.#tenths < RETRY || own.tenths < RETRY) return false
    this.#tenths -= RETRY
    own.tenths -= RETRY
    this.#callers.set(caller, own)
    return true
  }
}
