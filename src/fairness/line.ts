/** What waits, each holder's in order of arrival, holders one after another. */
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

  /** Takes out what is next. @returns undefined if there is nothing */
  take(): T | undefined {
    for (const [holder, waiting] of this.#waiting) {
      const next = waiting.shift()
      // Moves it behind the others.
      this.#waiting.delete(holder)
      if (waiting.length > 0) this.#waiting.set(holder, waiting)
      return next
    }
    return undefined
  }
}
