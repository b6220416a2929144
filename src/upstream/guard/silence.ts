import { isPage } from '../answers/answer.ts'
import { isRedirect } from '../answers/redirect.ts'
import { isOfOwnLimits } from '../connections/transport-fault.ts'
import { Intercepted } from '../errors.ts'
import type { Asked, Replied } from './guarded-call.ts'
import { kindOf, type Trouble } from './trouble.ts'

/** When a forge counts as one that answers nobody. Times are in milliseconds. */
export const silenceLimits = {
  /** After its last failure nobody misses it for longer than this: so two failures further apart are no silence. */
  missedMs: 600_000
} as const

/**
 * Whether a failure is that of any request, and not of what was asked for: not even a connection could be made, or the
 * forge says that it does not serve. Over a connection that works, a heavy query fails in the same ways as all do in an
 * outage.
 */
export const isOfAll = (trouble: Trouble): boolean =>
  typeof trouble === 'number'
    ? trouble === UNAVAILABLE
    : // Without a cause it was given up, which may be while others' requests had all connections.
      trouble.isUnsent && trouble.cause !== undefined && !isOfOwnLimits(trouble)

/** Whether a page may have refused a request for what is in it, as a firewall does: others may have their answers. */
const isOfRequest = (trouble: Trouble): boolean => trouble instanceof Intercepted && !trouble.isOfCredential

/** Whether it is one of a forge: a page may be a login's or one of maintenance, and a redirect lead to it. */
export const isAnswer = ({ status, headers }: Replied): boolean => !isRedirect(status) && !isPage(headers)

const UNAVAILABLE = 503

/**
 * For how long a forge has answered nobody, whatever the circuit does: that looks at the failures of some seconds, and
 * a small team never makes enough of them. Failures that may be one caller's doing count once a second caller has met
 * them, or another kind of request. A page that refuses a request does not count, unless all requests are alike: then it
 * does once a second caller has met it.
 */
export class Silence {
  readonly #now: () => number
  readonly #anyTells: boolean
  #answeredAt = Number.NEGATIVE_INFINITY
  /** Since when nothing was answered; undefined if nothing has failed since the last answer. */
  #since: number | undefined
  #failedAt = 0
  #first: Pick<Asked, 'caller' | 'at'> | undefined
  #isTold = false

  /**
   * @param now clock in milliseconds
   * @param anyTells whether no request is heavy, and all ask the same, so that one caller's failures tell as much as those
   * of several
   */
  constructor(now: () => number, anyTells = false) {
    this.#now = now
    this.#anyTells = anyTells
  }

  /**
   * Milliseconds from when the first request was sent that failed since the last answer, to the latest failure: as long as
   * is known of. 0 where none has failed since, or the latest is ten minutes ago, as nobody asks then.
   */
  get ms(): number {
    if (this.#since === undefined || !this.#isTold || this.#isMissedNoMore()) return 0
    return this.#failedAt - this.#since
  }

  answered(): void {
    this.#answeredAt = this.#now()
    this.#since = undefined
  }

  /** @param started when the request was sent @param trouble does nothing if it is none of the forge */
  failed({ caller, at }: Pick<Asked, 'caller' | 'at'>, started: number, trouble: Trouble): void {
    const isOfCaller = isOfRequest(trouble)
    if (kindOf(trouble) === undefined || (isOfCaller && !this.#anyTells)) return
    if (this.#since === undefined || this.#isMissedNoMore()) {
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
