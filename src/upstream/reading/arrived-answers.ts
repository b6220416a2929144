import { turnHolderOf } from '../../fairness/fair-queue.ts'
import { NestedTurns } from '../../fairness/nested-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { timed } from '../../load/thread-ms.ts'
import { isOperators, type Whose } from '../guard/whose.ts'
import { BusyHolders, freeMs } from './busy-holders.ts'

/** Size of a small answer: processing one takes a fraction of a millisecond, any other milliseconds. */
const SMALL_BYTES = 4 * 1024

/** Under which names the time that an answer took is remembered: of the operator's forge by address of callers alone. */
const busyNames = (whose: Whose): readonly string[] =>
  isOperators(whose)
    ? [`callers of ${turnHolderOf(whose)}`]
    : [whose.holder, `callers at ${turnHolderOf(whose)}`]

/**
 * Divides the event loop among answers that have arrived and are not large: forges may send hundreds of them at once. Of
 * each address of callers, and of all, a few go on in a turn; in an address its callers take turns, or the forges that
 * these name. Answers of the operator's forge do not queue behind those of callers' forges. Where those of a caller's own
 * forge take long, the next ones are to be treated as large.
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
   * Whether an answer of this many bytes has to be read off the event loop whatever it contains: others of the caller's
   * address, or of its own forge, have taken much of it of late.
   */
  isBusy(whose: Whose, bytes: number): boolean {
    return bytes > SMALL_BYTES && busyNames(whose).some(name => this.#busy.has(name))
  }
}
