import { networkOf } from '../base/holders.ts'
import { RequestBudget, type Shortage } from './request-budget.ts'

/**
 * How many times the budget of one address all addresses of a network may use together. A provider may give each of its
 * customers one /64, so the customers of a larger network must not count as one holder. But whoever has such a network
 * must not get 65,536 budgets either.
 */
const NETWORK_TIMES = 16

/** A RequestBudget for addresses (holderOf), and a larger one for the networks that contain them (networkOf). */
export class AddressBudget {
  readonly #addresses: RequestBudget
  readonly #networks: RequestBudget

  /**
   * @param max requests of one address in a window
   * @param holders most addresses, and networks, that are counted at once
   * @param now clock in milliseconds
   */
  constructor(max: number, windowMs: number, holders: number, now?: () => number) {
    this.#addresses = new RequestBudget(max, windowMs, holders, now)
    this.#networks = new RequestBudget(NETWORK_TIMES * max, windowMs, holders, now)
  }

  /** As RequestBudget.shortage, for the address and then for its network. */
  shortage(holder: string, requests = 1): Shortage | undefined {
    const network = networkOf(holder)
    return (
      this.#addresses.shortage(holder, requests) ??
      (network === undefined ? undefined : this.#networks.shortage(network, requests))
    )
  }

  /** What is left for an address: the smaller of its own rest and the rest of its network. */
  left(holder: string): Shortage {
    const own = this.#addresses.left(holder)
    const network = networkOf(holder)
    if (network === undefined) return own
    const ofAll = this.#networks.left(network)
    return ofAll.remaining < own.remaining ? ofAll : own
  }

  /** Takes back one counted request, if there is one. */
  giveBack(holder: string): void {
    this.#addresses.giveBack(holder)
    const network = networkOf(holder)
    if (network !== undefined) this.#networks.giveBack(network)
  }

  /**
   * Counts a request if it fits. Requests beyond the address's own limit do not count for its network.
   * @returns undefined, or why nothing was counted
   */
  take(holder: string): Shortage | undefined {
    const short = this.shortage(holder)
    if (short !== undefined) return short
    const network = networkOf(holder)
    if (network !== undefined) this.#networks.take(network)
    return this.#addresses.take(holder)
  }
}
