/** A sequence whose first item has arrived. */
interface Begun<T> {
  /** Undefined if the sequence ended at once. */
  readonly first: T | undefined
  /** The whole sequence, including the first item. */
  readonly all: AsyncIterable<T>
}

/** Waits for the first item. @throws what `source` throws instead of it */
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
