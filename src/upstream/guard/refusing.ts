import { tally } from '../../collections/tally.ts'
import { TOO_MANY_REQUESTS } from '../answers/answer.ts'

/** When a forge counts as refusing most of what it is asked. Times are in milliseconds. */
export const refusingLimits = {
  /** As long as the alert looks back. */
  windowMs: 300_000,
  /** Fewest answers in a window by which a spell begins. */
  volume: 20,
  /** More than this share of them. */
  share: 0.5
} as const

/** How a forge has refused in the window with which a spell of it began. */
export interface Refusing {
  /** The status that it has refused with most often. */
  readonly status: number
  /** Of its answers, from 0 to 1, in hundredths. */
  readonly share: number
  readonly answers: number
}

/** Its limits are told by themselves, and from 500 on it is in trouble. */
const countsAsRefusal = (status: number): boolean =>
  status >= 400 && status <= 499 && status !== TOO_MANY_REQUESTS

/**
 * Notices that a forge has begun to refuse most of what it is asked, and that it has ended. Single refusals are
 * callers' doing; of most it is mostly the forge's, as after a change of its policy, or of a token that many use.
 */
export class RefusingSpells {
  readonly #now: () => number
  readonly #onChange: (refusing: Refusing | undefined) => void
  /** How many of each status. */
  readonly #refusals = new Map<number, number>()
  #isOn = false
  #windowStart: number
  #answers = 0

  /**
   * @param now clock in milliseconds
   * @param onChange called once when a spell begins, and with undefined once when it is over; each with the first answer
   * after the window that shows it
   */
  constructor(now: () => number, onChange: (refusing: Refusing | undefined) => void) {
    this.#now = now
    this.#onChange = onChange
    this.#windowStart = now()
  }

  /** @param status that the forge has answered with */
  record(status: number): void {
    const now = this.#now()
    if (now - this.#windowStart > refusingLimits.windowMs) this.#next(now)
    this.#answers++
    if (countsAsRefusal(status)) tally(this.#refusals, status, 1)
  }

  #next(now: number): void {
    const answers = this.#answers
    const refused = [...this.#refusals.values()].reduce((sum, count) => sum + count, 0)
    const share = refused / Math.max(1, answers)
    const [[status] = [0]] = [...this.#refusals].sort(([, one], [, other]) => other - one)
    this.#windowStart = now
    this.#answers = 0
    this.#refusals.clear()
    const isMost = share > refusingLimits.share
    if (isMost === this.#isOn || (isMost && answers < refusingLimits.volume)) return
    this.#isOn = isMost
    this.#onChange(isMost ? { status, share: Math.round(share * 100) / 100, answers } : undefined)
  }
}
