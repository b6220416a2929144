import { loopTurns } from './loop-turns.ts'

/** Runs a callback in the next turn of the event loop, only once however often it is requested in this turn. */
export class TurnEnd {
  readonly #next: () => void
  readonly #soon: (next: () => void) => void
  #isAwaited = false

  /** @param soon calls the function that it is given in the next turn */
  constructor(next: () => void, soon: (next: () => void) => void = loopTurns.soon) {
    this.#next = next
    this.#soon = soon
  }

  /** @returns whether this is the first request in this turn */
  await(): boolean {
    if (this.#isAwaited) return false
    this.#isAwaited = true
    this.#soon(() => {
      this.#isAwaited = false
      this.#next()
    })
    return true
  }
}
