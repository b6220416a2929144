/** Runs a callback in the next turn of the event loop, only once however often it is requested in this turn. */
export class TurnEnd {
  readonly #next: () => void
  readonly #soon: (next: () => void) => void
  #isAwaited = false

  /** @param soon calls what it is given in the next turn */
  constructor(next: () => void, soon: (next: () => void) => void = setImmediate) {
    this.#next = next
    this.#soon = soon
  }

  await(): void {
    if (this.#isAwaited) return
    this.#isAwaited = true
    this.#soon(() => {
      this.#isAwaited = false
      this.#next()
    })
  }
}
