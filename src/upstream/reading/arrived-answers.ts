import { turnHolderOf } from '../../base/holders.ts'
import { NestedTurns } from '../../fairness/nested-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { timed } from '../../load/thread-ms.ts'
import { isOperators, type Whose } from '../guard/whose.ts'
import { CHEAP_ANSWER_BYTES } from './answer-cost.ts'
import { BusyHolders, freeMs } from './busy-holders.ts'

/** Size of a small answer: processing one takes a fraction of a millisecond, any other milliseconds. */
const SMALL_BYTES = 4 * 1024

/**
 * The names under which the time of an answer is remembered: the caller's address and, at callers' forges, also the
 * forge.
 */
function busyNames(whose: Whose): readonly [ofAddress: string, ...ofForge: string[]] {
  const from = turnHolderOf(whose)
  return isOperators(whose) ? [`callers of ${from}`] : [`callers at ${from}`, whose.holder]
}

/**
 * Divides the event loop among answers that have arrived and are not large: forges may send hundreds of them at once.
 * In each turn of the loop a few answers go on for each address of callers, and a few in all. Within an address its
 * callers take turns or, at callers' forges, these forges. Answers of the operator's forge do not queue behind those of
 * callers' forges. If answers for an address, or of a caller's own forge, have taken long, the next ones are treated as
 * large (isBusy).
 */
export class ArrivedAnswers {
  readonly #turns = {
    own: new NestedTurns(turnShares.answers),
    foreign: new NestedTurns(turnShares.answersOfForges)
  }
  readonly #smallTurns = {
    own: new NestedTurns(turnShares.smallAnswers),
    foreign: new NestedTurns(turnShares.smallAnswersOfForges)
  }
  readonly #busy = new BusyHolders()

  /** Continues with an answer of this many bytes, now or in one of the next turns. */
  next(whose: Whose, bytes: number, goOn: () => void): void {
    const isSmall = bytes <= SMALL_BYTES
    const { own, foreign } = isSmall ? this.#smallTurns : this.#turns
    const turns = isOperators(whose) ? own : foreign
    turns.run(turnHolderOf(whose), whose.holder, () => {
      if (!isSmall)
        timed(ms => {
          turns.took(ms)
          const free = isOperators(whose) ? freeMs.own : freeMs.foreign
          for (const name of busyNames(whose)) this.#busy.took(name, ms, free)
        })
      goOn()
    })
  }

  /**
   * Whether an answer of this many bytes has to be read off the event loop whatever it contains. It has to if other
   * answers for the caller's address, or of the caller's own forge, have recently taken much of the loop. An answer
   * that is cheap in any case is not sent to the worker because of its forge: others who share that forge must not wait
   * there behind somebody else's pages.
   */
  isBusy(whose: Whose, bytes: number): boolean {
    if (bytes <= SMALL_BYTES) return false
    const [ofAddress, ofForge] = busyNames(whose)
    if (this.#busy.has(ofAddress)) return true
    return bytes > CHEAP_ANSWER_BYTES && ofForge !== undefined && this.#busy.has(ofForge)
  }
}
