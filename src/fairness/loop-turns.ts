/** Most milliseconds of turns in a row that are left to new connections. */
const MOST_MS = 2

/**
 * Turns of the event loop. A turn takes one connection from the kernel (libuv), where those of everybody wait in one
 * queue. So turns that are long, as they share out work, would have whoever connects wait: as soon as one address opens
 * more connections than there are turns, for seconds. Once a turn has taken a connection, what waits for the next turn
 * waits for one that took none, for as long as the last turn of work took and a few milliseconds at most: connections have
 * half of the time then.
 */
export class LoopTurns {
  readonly #soon: (next: () => void) => void
  readonly #now: () => number
  #waiting: (() => void)[] = []
  #hasTaken = false
  /** When the last turn of work began, by the clock. */
  #began = Number.NEGATIVE_INFINITY
  /** Until when turns are left to connections. */
  #until: number | undefined

  /** @param soon calls what it is given in the next turn, whatever that takes @param now clock in milliseconds */
  constructor(soon: (next: () => void) => void = setImmediate, now: () => number = () => performance.now()) {
    this.#soon = soon
    this.#now = now
  }

  /** Reports that a connection was taken from the kernel in this turn. */
  taken(): void {
    this.#hasTaken = true
  }

  /** Calls what it is given, which throws nothing, in the next turn that has time for it. */
  readonly soon = (next: () => void): void => {
    if (this.#waiting.push(next) === 1) this.#soon(this.#end)
  }

  readonly #end = (): void => {
    const now = this.#now()
    const hasTaken = this.#hasTaken
    this.#hasTaken = false
    if (hasTaken) {
      this.#until ??= now + Math.min(now - this.#began, MOST_MS)
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

/** Those of this thread. */
export const loopTurns = new LoopTurns()
