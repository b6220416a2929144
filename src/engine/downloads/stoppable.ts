/**
 * An iterator that can be stopped. A reader that waits for the next item is rejected at once, because that item may
 * never arrive.
 */
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

  /** From now on, the iterator only throws this error. */
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
