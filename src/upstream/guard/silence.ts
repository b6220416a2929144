import type { Standstill } from '../../load/standstill.ts'
import { isPage } from '../answers/answer.ts'
import { isRedirect } from '../answers/redirect.ts'
import { isOfOwnLimits } from '../connections/transport-fault.ts'
import { Intercepted } from '../errors.ts'
import type { Asked, Replied } from './guarded-call.ts'
import { kindOf, type Trouble } from './trouble.ts'

/** When a forge counts as one that answers nobody. Times are in milliseconds. */
export const silenceLimits = {
  /**
   * If no request has failed for this long, nobody misses the forge any more: two failures further apart are no
   * silence.
   */
  missedMs: 600_000
} as const

/**
 * Whether any request would have failed in this way, whatever it asked for: not even a connection could be made, or the
 * forge says that it does not serve. Over a connection that works, a heavy query fails in the same ways as all queries
 * do in an outage.
 */
export const isOfAll = (trouble: Trouble): boolean =>
  typeof trouble === 'number'
    ? trouble === UNAVAILABLE
    : // Without a cause the request was given up, perhaps while other requests had all connections.
      trouble.isUnsent && trouble.cause !== undefined && !isOfOwnLimits(trouble)

/** Whether a page may have refused this request for its content, as a firewall does: other requests may be answered. */
const isOfRequest = (trouble: Trouble): boolean => trouble instanceof Intercepted && !trouble.isOfCredential

/**
 * Whether a reply is an answer of a forge. A page may be that of a login or of maintenance, and a redirect may lead to
 * one.
 */
export const isAnswer = ({ status, headers }: Replied): boolean => !isRedirect(status) && !isPage(headers)

const UNAVAILABLE = 503

/** When this process stood still (load/standstill.ts). */
export type Standstills = Pick<Standstill, 'endedAt' | 'stoodMs'>

const never: Standstills = { endedAt: Number.NEGATIVE_INFINITY, stoodMs: 0 }

/**
 * Measures for how long a forge has answered nobody, whatever the circuit breaker does. The breaker looks at the
 * failures of some seconds, and a small team never makes enough of them. Failures that may be one caller's doing count
 * once a second caller, or another kind of request, has met them. A page that refuses a request does not count, unless
 * all requests are alike: then it counts once a second caller has met it.
 */
export class Silence {
  readonly #now: () => number
  readonly #standstill: Standstills
  readonly #anyTells: boolean
  #answeredAt = Number.NEGATIVE_INFINITY
  /**
   * Since when nothing was answered, on a clock that does not continue while this process stands still; undefined if
   * nothing has failed since the last answer.
   */
  #since: number | undefined
  /** From then to the latest failure, on that clock. */
  #lastedMs = 0
  #failedAt = 0
  #first: Pick<Asked, 'caller' | 'at'> | undefined
  #isTold = false

  /**
   * @param now clock in milliseconds
   * @param standstill on that clock: the process cannot read meanwhile what the forge answers, so neither that time nor
   * a request that was under way in it counts
   * @param anyTells whether no request is heavy, and all ask the same, so that one caller's failures tell as much as
   * those of several
   */
  constructor(now: () => number, standstill: Standstills = never, anyTells = false) {
    this.#now = now
    this.#standstill = standstill
    this.#anyTells = anyTells
  }

  /**
   * Milliseconds of silence that are known of: from the sending of the first request that has failed since the last
   * answer, to the latest failure, without the time in which this process stood still. 0 if none has failed since then,
   * if the failures may be one caller's doing, or if the latest one is more than ten minutes ago, as nobody asks then.
   */
  get ms(): number {
    return this.#since === undefined || !this.#isTold || this.#isMissedNoMore() ? 0 : this.#lastedMs
  }

  answered(): void {
    this.#answeredAt = this.#now()
    this.#since = undefined
  }

  /** @param started when the request was sent @param trouble ignored if it is no trouble of the forge */
  failed({ caller, at }: Pick<Asked, 'caller' | 'at'>, started: number, trouble: Trouble): void {
    const isOfCaller = isOfRequest(trouble)
    if (kindOf(trouble) === undefined || (isOfCaller && !this.#anyTells)) return
    // It may have failed because this process stood still meanwhile.
    const { endedAt, stoodMs } = this.#standstill
    if (started < endedAt) return
    if (this.#since === undefined || this.#isMissedNoMore()) {
      this.#since = Math.max(started, this.#answeredAt) - stoodMs
      this.#first = { caller, at }
      this.#isTold = false
    }
    this.#failedAt = this.#now()
    // How long a standstill was is known to a second only.
    this.#lastedMs = Math.max(0, this.#failedAt - stoodMs - this.#since)
    const isOther = caller !== this.#first?.caller || (at !== this.#first.at && !this.#anyTells)
    this.#isTold ||= isOther || isOfAll(trouble) || (this.#anyTells && !isOfCaller)
  }

  #isMissedNoMore(): boolean {
    return this.#now() - this.#failedAt > silenceLimits.missedMs
  }
}
