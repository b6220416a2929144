import { setImmediate } from 'node:timers/promises'

/** As much of a forge client as is asked for turns: each piece of work has one of the event loop. */
export const inTurns = {
  paced: async <T>(work: () => T): Promise<T> => {
    await setImmediate()
    return work()
  }
}
