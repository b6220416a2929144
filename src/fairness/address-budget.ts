import { networkOf } from '../base/holders.ts'
import { RequestBudget, type Shortage } from './request-budget.ts'

/**
 * How many times as much as one address all those of a network may have together: a provider may give each of its
 * customers 64 bits of one, so that they are not to be held as one, and nobody is to have 65,536 times as much.
 */
const NETWORK_TIMES = 16

/** A RequestBudget of addresses (holderOf), and a larger one of the networks that they are in (networkOf). */
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

  /** As RequestBudget.shortage, of the address or else of its network. */
  shortage(holder: string, requests = 1): Shortage | undefined {
    const network = networkOf(holder)
    return (
      this.#addresses.shortage(holder, requests) ??
      (network === undefined ? undefined : this.#networks.shortage(network, requests))
    )
  }

  /** What an address has left, by itself or in its network, whichever is less. */
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
   * Counts a request, if it fits. What an address asks for beyond its own limit does not count for its network.
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
