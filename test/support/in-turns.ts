import { setImmediate } from 'node:timers/promises'

/** The part of a forge client that paces work: each piece of work gets a turn of the event loop. */
export const inTurns = {
  paced: async <T>(work: () => T): Promise<T> => {
    await setImmediate()
    return work()
  }
}

/** Of promises that all wait for the same thing, the largest number that settles in one turn of the event loop. */
export async function mostInATurn(all: readonly Promise<unknown>[]): Promise<number> {
  let settled = 0
  const count = () => settled++
  for (const one of all) one.then(count, count)
  let most = 0
  for (let before = settled; settled < all.length; before = settled) {
    await setImmediate()
    most = Math.max(most, settled - before)
  }
  return most
}
