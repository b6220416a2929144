/** What comes piece by piece until it is stopped: who waits for the next is told at once, as that may never come. */
export class Stoppable<T> implements AsyncIterableIterator<T, undefined> {
  readonly #source: AsyncIterator<T>
  #stopped: Error | undefined
  #fail: ((error: Error) => void) | undefined

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** From now on there is nothing but this error. */
  stop(error: Error): void {
    this.#stopped = error
    this.#fail?.(error)
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#stopped !== undefined) return reject(this.#stopped)
      this.#fail = reject
      this.#source.next().then(resolve, reject)
    })
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    await this.#source.return?.()
    return { done: true, value: undefined }
  }
}
