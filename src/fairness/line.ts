/** A queue in which holders take turns. The items of one holder are in order of arrival. */
export class Line<T> {
  /** The holder whose turn is next comes first. */
  readonly #waiting = new Map<string, T[]>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(holder: string, one: T): void {
    const waiting = this.#waiting.get(holder)
    if (waiting === undefined) this.#waiting.set(holder, [one])
    else waiting.push(one)
  }

  /**
   * Takes out the next item.
   * @returns undefined if the queue is empty
   */
  take(): T | undefined {
    for (const [holder, waiting] of this.#waiting) {
      const next = waiting.shift()
      // Moves this holder behind the others.
      this.#waiting.delete(holder)
      if (waiting.length > 0) this.#waiting.set(holder, waiting)
      return next
    }
    return undefined
  }
}
