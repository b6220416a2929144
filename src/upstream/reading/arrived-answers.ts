import { FairTurns } from '../../fairness/fair-turns.ts'
import { type TurnShare, turnShares } from '../../fairness/turn-shares.ts'
import { timed } from '../../load/thread-ms.ts'
import { isOperators, type Whose } from '../guard/whose.ts'
import { BusyHolders } from './busy-holders.ts'

/** Size of a small answer: processing one takes a fraction of a millisecond, any other milliseconds. */
const SMALL_BYTES = 4 * 1024

/** Under which names the time that an answer took is remembered; none of the operator's forge, which serves everybody. */
const busyNames = (whose: Whose): readonly string[] =>
  isOperators(whose) ? [] : [whose.holder, `callers at ${whose.from ?? whose.caller}`]

/** Turns of the answers of callers' forges: first of a forge's, then of those of all, addresses of callers in turns. */
class ForeignTurns {
  readonly #each: FairTurns
  readonly #all: FairTurns

  constructor(ofForge: TurnShare, ofAll: TurnShare) {
    this.#each = new FairTurns(ofForge)
    this.#all = new FairTurns(ofAll)
  }

  run({ caller, from = caller, holder }: Whose, goOn: () => void): void {
    this.#each.run(holder, () => this.#all.run(from, goOn))
  }
}

/**
 * Divides the event loop among answers that have arrived and are not large: forges may send hundreds of them at once. Of
 * each holder, and of all, a few go on in a turn. Answers of the operator's forge do not queue behind those of callers'
 * forges, of which one caller may name any number. Where those of a caller's own forge take long, the next
 * ones are to be treated as large.
 */
export class ArrivedAnswers {
  readonly #own = new FairTurns(turnShares.answers)
  readonly #ownSmall = new FairTurns(turnShares.smallAnswers)
  readonly #foreign = new ForeignTurns(turnShares.answersOfForge, turnShares.answersOfForges)
  readonly #foreignSmall = new ForeignTurns(turnShares.smallAnswersOfForge, turnShares.smallAnswersOfForges)
  readonly #busy = new BusyHolders()

  /** Continues with an answer of this many bytes, now or in one of the next turns. */
  next(whose: Whose, bytes: number, goOn: () => void): void {
    const isSmall = bytes <= SMALL_BYTES
    if (isOperators(whose)) (isSmall ? this.#ownSmall : this.#own).run(whose.caller, goOn)
    else if (isSmall) this.#foreignSmall.run(whose, goOn)
    else
      this.#foreign.run(whose, () => {
        timed(ms => {
          for (const name of busyNames(whose)) this.#busy.took(name, ms)
        })
        goOn()
      })
  }

  /**
   * Whether an answer of this many bytes has to be read off the event loop whatever it contains: others of its caller's
   * own forge, or of such forges of the caller's address, have taken much of it of late.
   */
  isBusy(whose: Whose, bytes: number): boolean {
    return bytes > SMALL_BYTES && busyNames(whose).some(name => this.#busy.has(name))
  }
}
