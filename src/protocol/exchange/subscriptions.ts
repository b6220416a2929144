import { type CancelSignal, onAbort } from '../../base/cancellation.ts'
import { HOUR_MS } from '../../base/units.ts'
import { SharedRoom } from '../../collections/shared-room.ts'

interface SubscriptionLimits {
  /** Most open subscriptions of one caller; SDKs open one for each of their clients. */
  readonly perCaller: number
  /** Most open subscriptions of all callers. */
  readonly inAll: number
  /**
   * Milliseconds until the client must open its subscription again. Nothing else would end one whose client has
   * silently gone.
   */
  readonly ageMs: number
}

const subscriptionLimits: SubscriptionLimits = { perCaller: 10, inAll: 5_000, ageMs: HOUR_MS }

/**
 * The subscriptions that are open here. There is always room for one more: the oldest subscription of its caller, or of
 * the address with the most, is ended for it. Clients open subscriptions on their own, and must go on working.
 */
export class Subscriptions {
  readonly #ageMs: number
  readonly #callers: SharedRoom
  readonly #addresses: SharedRoom
  readonly #open = new Set<() => void>()
  #closed = false

  constructor({ perCaller, inAll, ageMs }: SubscriptionLimits = subscriptionLimits) {
    this.#ageMs = ageMs
    this.#callers = new SharedRoom({ each: perCaller })
    this.#addresses = new SharedRoom({ all: inAll })
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Keeps a subscription open until it expires, another one needs its room, the service shuts down, or its client goes.
   * @param caller identifies the caller
   * @param from the holder of the caller's address (base/holders.ts), at which anybody can make up callers
   */
  async hold(caller: string, from: string, signal: CancelSignal | undefined): Promise<void> {
    if (this.#closed || signal?.aborted) return
    await new Promise<void>(resolve => {
      const end = () => {
        clearTimeout(timer)
        forget()
        this.#open.delete(end)
        for (const place of places) place.leave()
        resolve()
      }
      const timer = setTimeout(end, this.#ageMs).unref()
      const forget = onAbort(signal, end)
      const places = [this.#callers.take(caller, 1, () => end()), this.#addresses.take(from, 1, () => end())]
      this.#open.add(end)
    })
  }

  /** Ends all subscriptions, and from then on each new one at once. */
  close(): void {
    this.#closed = true
    for (const end of [...this.#open]) end()
  }
}
