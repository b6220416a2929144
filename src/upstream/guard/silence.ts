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

const never = (): number => Number.NEGATIVE_INFINITY

/**
 * Measures for how long a forge has answered nobody, whatever the circuit breaker does. The breaker looks at the
 * failures of some seconds, and a small team never makes enough of them. Failures that may be one caller's doing count
 * once a second caller, or another kind of request, has met them. A page that refuses a request does not count, unless
 * all requests are alike: then it counts once a second caller has met it.
 */
export class Silence {
  readonly #now: () => number
  readonly #ranAgainAt: () => number
  readonly #anyTells: boolean
  #answeredAt = Number.NEGATIVE_INFINITY
  /** Since when nothing was answered; undefined if nothing has failed since the last answer. */
  #since: number | undefined
  #failedAt = 0
  #first: Pick<Asked, 'caller' | 'at'> | undefined
  #isTold = false

  /**
   * @param now clock in milliseconds
   * @param ranAgainAt when this process last ran again after a standstill, on that clock: it could not read what the
   * forge answered until then, so nothing from before counts
   * @param anyTells whether no request is heavy, and all ask the same, so that one caller's failures tell as much as
   * those of several
   */
  constructor(now: () => number, ranAgainAt: () => number = never, anyTells = false) {
    this.#now = now
    this.#ranAgainAt = ranAgainAt
    this.#anyTells = anyTells
  }

  /**
   * Milliseconds of silence that are known of: from the sending of the first request that has failed since the last
   * answer, to the latest failure, and no further back than a standstill of this process. 0 if none has failed since
   * then, if the failures may be one caller's doing, or if the latest one is more than ten minutes ago, as nobody asks
   * then.
   */
  get ms(): number {
    if (this.#since === undefined || !this.#isTold || this.#isMissedNoMore()) return 0
    return Math.max(0, this.#failedAt - Math.max(this.#since, this.#ranAgainAt()))
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
    if (started < this.#ranAgainAt()) return
    if (this.#since === undefined || this.#since < this.#ranAgainAt() || this.#isMissedNoMore()) {
      this.#since = Math.max(started, this.#answeredAt)
      this.#first = { caller, at }
      this.#isTold = false
    }
    this.#failedAt = this.#now()
    const isOther = caller !== this.#first?.caller || (at !== this.#first.at && !this.#anyTells)
    this.#isTold ||= isOther || isOfAll(trouble) || (this.#anyTells && !isOfCaller)
  }

  #isMissedNoMore(): boolean {
    return this.#now() - this.#failedAt > silenceLimits.missedMs
  }
}
