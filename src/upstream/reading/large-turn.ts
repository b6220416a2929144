import { Cancellation, type CancelSignal, onAbort } from '../../base/cancellation.ts'
import { turnHolderOf } from '../../base/holders.ts'
import type { ReadAnswer } from '../answers/answer-text.ts'
import { Turns } from '../guard/turns.ts'
import type { Whose } from '../guard/whose.ts'
import type { AnswerOwner, LargeAnswers, LargeTurns } from './large-answers.ts'
import type { LendableTurns } from './slow-arrivals.ts'

/** The turn of one answer, which may prove to be a large one. */
export class LargeTurn {
  readonly collectMs: number
  /** The holder that its answer counts for: the address of its caller, or the caller if there is none. */
  readonly from: string
  readonly #answers: LargeAnswers
  readonly #turns: LargeTurns
  #shared: LendableTurns
  readonly #caller: string
  readonly #signal: CancelSignal | undefined
  readonly #wait = new Cancellation()
  #forget = () => {}
  #coming: Promise<void> | undefined
  /** Whether it has the turns that come before the shared one. */
  #isIn = false
  #state: 'none' | 'waiting' | 'held' | 'away' | 'free' | 'over' = 'none'

  constructor(answers: LargeAnswers, whose: Whose, signal: CancelSignal | undefined) {
    this.#answers = answers
    this.collectMs = answers.collectMs
    this.#turns = answers.turnsOf(whose)
    this.#shared = this.#turns.shared
    this.#caller = whose.caller
    this.from = turnHolderOf(whose)
    this.#signal = signal
  }

  /** As in LargeTurns. */
  get slow(): LargeTurns['slow'] {
    return this.#turns.slow
  }

  get begun(): boolean {
    return this.#state !== 'none'
  }

  /**
   * Goes on without a turn, unless it has one. This is for an ordinary answer that has arrived, and that is read off
   * the event loop only because of others (ArrivedAnswers.isBusy). Turns are few, and all of them may be taken for a
   * long time.
   */
  skip(): void {
    if (this.#state !== 'none') return
    this.#heed()
    this.#state = 'free'
  }

  /**
   * Takes the turn, unless it has one.
   * @returns a promise of the turn if it has to wait
   * @throws ForgeError too-large or cancelled
   */
  begin(): Promise<void> | undefined {
    if (this.#state !== 'none' && this.#state !== 'away') return this.#coming
    if (this.#state === 'none') this.#heed()
    const { own, shared, again } = this.#turns
    this.#shared = this.#isIn ? again : shared
    const turn = (this.#isIn ? again : new Turns(own, shared)).enter(this.#caller, this.#wait)
    if (turn === undefined) this.#hold()
    else {
      this.#state = 'waiting'
      this.#coming = this.#come(turn)
    }
    return this.#coming
  }

  /** Leaves the shared turn to others, until `begin` takes another one. */
  lend(): void {
    if (this.#state !== 'held') return
    this.#state = 'away'
    this.#shared.lend?.()
  }

  /** Like LargeAnswers.read, in the caller's turn. @param grow as in AnswerOwner */
  read(bytes: Buffer, grow: AnswerOwner['grow']): Promise<ReadAnswer> {
    return this.#answers.read(bytes, { caller: this.#caller, from: this.from, signal: this.#wait, grow })
  }

  end(): void {
    const before = this.#state
    this.#state = 'over'
    this.#forget()
    // A waiting call would keep its request and all that has arrived of the answer in memory.
    if (before === 'waiting') this.#wait.abort()
    else this.#give(before === 'held')
  }

  async #come(turn: Promise<void>): Promise<void> {
    try {
      await turn
    } catch (error) {
      this.#state = 'over'
      this.#give(false)
      throw error
    } finally {
      this.#coming = undefined
    }
    this.#hold()
  }

  #hold(): void {
    this.#isIn = true
    // The answer was given up meanwhile.
    if (this.#state === 'over') this.#give(true)
    else this.#state = 'held'
  }

  #give(shared: boolean): void {
    if (shared) this.#shared.leave(this.#caller)
    if (this.#isIn) this.#turns.own.leave(this.#caller)
    this.#isIn = false
  }

  #heed(): void {
    this.#forget = onAbort(this.#signal, () => this.#wait.abort())
  }
}
