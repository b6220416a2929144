/** Most milliseconds for which turns in a row are left to new connections. */
const MAX_MS = 2

/**
 * Turns of the event loop. In each turn, libuv takes one connection from the kernel, where the connections of all
 * clients wait in one queue. Turns become long because work is shared out among them. Then new connections would wait
 * for seconds as soon as one address opens more connections than there are turns. So once a turn has taken a
 * connection, work for the next turn waits for a turn that took none. It waits for as long as the last turn of work
 * took, and for two milliseconds at most: connections then have half of the time.
 */
export class LoopTurns {
  readonly #soon: (next: () => void) => void
  readonly #now: () => number
  #waiting: (() => void)[] = []
  #hasTaken = false
  /** When the last turn of work began, by the clock. */
  #began = Number.NEGATIVE_INFINITY
  /** Until when turns are left to new connections, by the clock. */
  #until: number | undefined

  /**
   * @param soon calls the function that it is given in the next turn, whether that turn takes a connection or not
   * @param now clock in milliseconds
   */
  constructor(soon: (next: () => void) => void = setImmediate, now: () => number = () => performance.now()) {
    this.#soon = soon
    this.#now = now
  }

  /** Reports that a connection was taken from the kernel in this turn. */
  taken(): void {
    this.#hasTaken = true
  }

  /** Calls a function, which must not throw, in the next turn that has time for it. */
  readonly soon = (next: () => void): void => {
    if (this.#waiting.push(next) === 1) this.#soon(this.#end)
  }

  readonly #end = (): void => {
    const now = this.#now()
    const hasTaken = this.#hasTaken
    this.#hasTaken = false
    if (hasTaken) {
      this.#until ??= now + Math.min(now - this.#began, MAX_MS)
      if (now < this.#until) {
        this.#soon(this.#end)
        return
      }
    }
    this.#until = undefined
    this.#began = now
    const waiting = this.#waiting
    this.#waiting = []
    for (const next of waiting) next()
  }
}

/** The turns of this thread's event loop. */
export const loopTurns = new LoopTurns()
