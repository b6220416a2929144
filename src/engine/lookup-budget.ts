import type { ForgeClient } from '../upstream/client.ts'
import { ForgeError } from '../upstream/errors.ts'

/** Most milliseconds that all lookups of one call may take together. */
const MAX_MS = 3_000

/**
 * Requests to the forge that only improve a message: why a call was refused, or what may have been meant. A call waits
 * a few seconds for all of them together, and then answers without them.
 */
export class LookupBudget {
  readonly #now: () => number
  #leftMs: number
  /** Number of lookups in progress: the time of those that run side by side counts once. */
  #running = 0
  #began = 0

  /** @param now clock in milliseconds */
  constructor(mostMs = MAX_MS, now: () => number = () => performance.now()) {
    this.#leftMs = mostMs
    this.#now = now
  }

  /**
   * @returns the result; undefined if it takes too long: its requests are aborted when the call ends
   * @throws what `look` throws
   */
  async within<T>(look: () => Promise<T>): Promise<T | undefined> {
    if (this.#running === 0) this.#began = this.#now()
    const leftMs = this.#leftMs - (this.#now() - this.#began)
    if (leftMs <= 0) return undefined
    this.#running++
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<undefined>(resolve => {
      timer = setTimeout(() => {
        // A timer counts whole milliseconds. Without this, a fraction of one might be left by the clock, and allow
        // another request.
        this.#leftMs = 0
        resolve(undefined)
      }, leftMs)
    })
    try {
      return await Promise.race([look(), over])
    } finally {
      clearTimeout(timer)
      if (--this.#running === 0) this.#leftMs -= this.#now() - this.#began
    }
  }
}

/**
 * Limits a client to the time of lookups, for requests that only add information to a call that is done or refused.
 * Time spent waiting for a retry counts, too.
 * @returns a client that, in addition to what `forge` throws, throws ForgeError timeout for a request that is given up
 */
export const briefly = (
  forge: Pick<ForgeClient, 'send'>,
  lookups: LookupBudget
): Pick<ForgeClient, 'send'> => ({
  async send(request) {
    const answer = await lookups.within(() => forge.send(request))
    if (answer === undefined) throw new ForgeError('timeout', 'The forge took too long to say more.')
    return answer
  }
})
