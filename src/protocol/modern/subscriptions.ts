import type { CancelSignal } from '../../cancellation.ts'

/** One that is held open: what ends it, in the order of opening. */
interface Subscription {
  readonly caller: string
  readonly end: () => void
}

export interface SubscriptionLimits {
  /** Open at once for one caller; SDKs open one for each client of theirs. */
  readonly perCaller: number
  /** Open at once. */
  readonly inAll: number
  /** Milliseconds until the client is asked to open it anew: nothing else would end one whose client has gone silently. */
  readonly ageMs: number
}

export const subscriptionLimits: SubscriptionLimits = { perCaller: 10, inAll: 5_000, ageMs: 3_600_000 }

/**
 * The subscriptions that are open here. There is always room for one more, which the oldest makes: a client opens its
 * own unasked, and has to go on working. So whoever opens very many closes those of its own.
 */
export class Subscriptions {
  readonly #limits: SubscriptionLimits
  readonly #open = new Set<Subscription>()
  #closed = false

  constructor(limits: SubscriptionLimits = subscriptionLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Holds one open, until it is old, makes room for another, the service leaves, or its client does.
   * @param caller what callers are told apart by
   */
  async hold(caller: string, signal: CancelSignal | undefined): Promise<void> {
    if (this.#closed || signal?.aborted) return
    this.#makeRoom(caller)
    await new Promise<void>(resolve => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        this.#open.delete(subscription)
        resolve()
      }
      const subscription = { caller, end }
      const timer = setTimeout(end, this.#limits.ageMs).unref()
      signal?.addEventListener('abort', end, { once: true })
      this.#open.add(subscription)
    })
  }

  /** Ends all of them, and from then on each as it is opened. */
  close(): void {
    this.#closed = true
    for (const { end } of [...this.#open]) end()
  }

  #makeRoom(caller: string): void {
    const own = [...this.#open].filter(subscription => subscription.caller === caller)
    if (own.length >= this.#limits.perCaller) own[0]!.end()
    else if (this.#open.size >= this.#limits.inAll) [...this.#open][0]!.end()
  }
}
