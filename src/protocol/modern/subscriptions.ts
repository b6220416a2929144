import { type CancelSignal, onAbort } from '../../cancellation.ts'
import { SharedRoom } from '../../shared-room.ts'

export interface SubscriptionLimits {
  /** Open at once for one caller; SDKs open one for each client of theirs. */
  readonly perCaller: number
  /** Open at once. */
  readonly inAll: number
  /** Milliseconds until the client is asked to open it anew: nothing else would end one whose client has gone silently. */
  readonly ageMs: number
}

const subscriptionLimits: SubscriptionLimits = { perCaller: 10, inAll: 5_000, ageMs: 3_600_000 }

/**
 * The subscriptions that are open here. There is always room for one more, which the oldest of its caller makes, or of
 * the address that has the most: a client opens its own unasked, and has to go on working.
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
   * Holds one open, until it is old, makes room for another, the service leaves, or its client does.
   * @param caller what callers are told apart by
   * @param from the address it is at (edge/address.ts), of which anybody makes up callers
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

  /** Ends all of them, and from then on each as it is opened. */
  close(): void {
    this.#closed = true
    for (const end of [...this.#open]) end()
  }
}
