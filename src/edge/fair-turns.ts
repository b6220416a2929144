import { TurnEnd } from './turn-end.ts'

/**
 * Divides the turns of the event loop among those who keep it busy: in each of them so many pieces of work of each
 * holder are begun, and the rest waits for the next in order of arrival. A holder alone loses nothing by it; beside
 * one with thousands, another's piece waits for a few. Where there is a limit for all, holders have their pieces one
 * after another.
 */
export class FairTurns {
  readonly #each: number
  readonly #all: number
  readonly #turnEnd: TurnEnd
  /** Pieces that may still be begun in this turn. */
  #left: number
  /** Begun in this turn. */
  readonly #begun = new Map<string, number>()
  readonly #waiting = new Map<string, (() => unknown)[]>()

  /**
   * @param each pieces of one holder in one turn
   * @param soon calls what it is given in the next turn
   * @param all pieces of all holders in one turn
   */
  constructor(each: number, soon?: (next: () => void) => void, all = Number.POSITIVE_INFINITY) {
    this.#each = each
    this.#all = all
    this.#left = all
    this.#turnEnd = new TurnEnd(() => this.#next(), soon)
  }

  /**
   * Does a piece of work, now or in one of the next turns. It throws nothing.
   * @param work says `false` where by its turn there is nothing to do any more: what was given up takes nobody's place
   */
  run(holder: string, work: () => unknown): void {
    const begun = this.#begun.get(holder) ?? 0
    const waiting = this.#waiting.get(holder)
    this.#turnEnd.await()
    if (waiting !== undefined) waiting.push(work)
    else if (begun >= this.#each || this.#left === 0) this.#waiting.set(holder, [work])
    else {
      this.#begun.set(holder, begun + 1)
      this.#left--
      work()
    }
  }

  /** Comes back in such a turn. */
  next(holder: string): Promise<void> {
    return new Promise(resolve => this.run(holder, resolve))
  }

  /** What others wait for, too, in such a turn: all of them would go on in one. @throws what it fails with, then as well */
  async behind<T>(holder: string, running: Promise<T>): Promise<T> {
    try {
      return await running
    } finally {
      await this.next(holder)
    }
  }

  #next(): void {
    this.#begun.clear()
    this.#left = this.#all
    if (this.#waiting.size === 0) return
    this.#turnEnd.await()
    for (const [holder, waiting] of [...this.#waiting]) {
      if (this.#left === 0) break
      let begun = 0
      while (begun < this.#each && this.#left > 0 && waiting.length > 0)
        if (waiting.shift()!() !== false) {
          begun++
          this.#left--
        }
      // Behind the other holders.
      this.#waiting.delete(holder)
      if (waiting.length > 0) this.#waiting.set(holder, waiting)
      this.#begun.set(holder, begun)
    }
  }
}
