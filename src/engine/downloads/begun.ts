/** What has begun to arrive. */
export interface Begun<T> {
  /** Undefined if it ended at once. */
  readonly first: T | undefined
  /** All of it, the first item as well. */
  readonly all: AsyncIterable<T>
}

/** Waits for the first item. @throws what `source` throws in place of it */
export async function begun<T>(source: AsyncIterable<T>): Promise<Begun<T>> {
  const items = source[Symbol.asyncIterator]()
  let first: IteratorResult<T> | undefined = await items.next()
  const all: AsyncIterableIterator<T> = {
    [Symbol.asyncIterator]: () => all,
    async next() {
      const item = first ?? (await items.next())
      first = undefined
      return item
    },
    async return() {
      await items.return?.()
      return { done: true, value: undefined }
    }
  }
  return { first: first.done ? undefined : first.value, all }
}
