/** A holder's work is followed by a pause so many times as long: it has a quarter of the processor at most. */
const PAUSES = 3

/**
 * Divides the processor where a piece of work takes long: each holder's pieces are done one after another, each
 * followed by a pause that is measured by it. Who sends nothing but large bodies waits for itself; of another the event
 * loop is free three quarters of the time.
 */
export class PacedTurns {
  /** Of holders who are at work or in a pause, what waits. */
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #pause: (next: () => void, ms: number) => void

  /** @param pause calls what it is given after so many milliseconds */
  constructor(pause: (next: () => void, ms: number) => void = setTimeout) {
    this.#pause = pause
  }

  /** Holders who are at work or in a pause. */
  get size(): number {
    return this.#waiting.size
  }

  /** Does a piece of work, now or when the holder's earlier ones have been paid for. It throws nothing. */
  run(holder: string, work: () => void): void {
    const waiting = this.#waiting.get(holder)
    if (waiting !== undefined) {
      waiting.push(work)
      return
    }
    this.#waiting.set(holder, [])
    this.#do(holder, work)
  }

  #do(holder: string, work: () => void): void {
    const started = performance.now()
    work()
    // What goes on by promises before the next turn of the event loop counts too.
    setImmediate(() => this.#pause(() => this.#next(holder), (performance.now() - started) * PAUSES))
  }

  #next(holder: string): void {
    const next = this.#waiting.get(holder)?.shift()
    if (next === undefined) this.#waiting.delete(holder)
    else this.#do(holder, next)
  }
}
