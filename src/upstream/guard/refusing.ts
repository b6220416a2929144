import { tally } from '../../collections/tally.ts'
import { TOO_MANY_REQUESTS } from '../answers/answer.ts'

/** When a forge counts as refusing most requests. Times are in milliseconds. */
export const refusingLimits = {
  /** The time that the alert looks back. */
  windowMs: 300_000,
  /** Fewest answers in a window for a spell to begin. */
  volume: 20,
  /** In a spell, more than this share of the answers are refusals. */
  share: 0.5
} as const

/** The refusals of a forge in the window with which a spell began. */
export interface Refusing {
  /** The status that it has refused with most often. */
  readonly status: number
  /** The share of refusals among its answers, from 0 to 1, in hundredths. */
  readonly share: number
  readonly answers: number
}

/** Rate limits are reported by themselves, and from 500 on the forge is in trouble. */
const countsAsRefusal = (status: number): boolean =>
  status >= 400 && status <= 499 && status !== TOO_MANY_REQUESTS

/**
 * Notices when a forge begins to refuse most requests, and when that ends. Single refusals are callers' doing. If most
 * requests are refused, it is mostly the forge's doing, as after a change of its policy, or of a token that many use.
 */
export class RefusingSpells {
  readonly #now: () => number
  readonly #onChange: (refusing: Refusing | undefined) => void
  /** How many refusals had each status. */
  readonly #refusals = new Map<number, number>()
  #isOn = false
  #windowStart: number
  #answers = 0

  /**
   * @param now clock in milliseconds
   * @param onChange called once when a spell begins, and once, with undefined, when it is over. Each call comes with
   * the first answer after the window that shows it
   */
  constructor(now: () => number, onChange: (refusing: Refusing | undefined) => void) {
    this.#now = now
    this.#onChange = onChange
    this.#windowStart = now()
  }

  /** @param status of an answer of the forge */
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
