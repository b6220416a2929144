import { AddressBudget } from '../../fairness/address-budget.ts'

/** Connections that may be closed for one caller's address per minute, and addresses that are counted at once. */
const limits = { each: 60, windowMs: 60_000, holders: 10_000 } as const

/**
 * Counts the connections that are closed because a caller has gone. The next request, whoever makes it, has to open a
 * new one: if callers hung up hundreds of times a second, nobody else would find an open connection.
 */
export class HangUps {
  readonly #budget: AddressBudget

  /** @param now clock in milliseconds */
  constructor(now?: () => number) {
    this.#budget = new AddressBudget(limits.each, limits.windowMs, limits.holders, now)
  }

  /**
   * Counts one more closed connection, if it is allowed. @param holder as in Outgoing @returns whether it is allowed
   */
  allows(holder: string): boolean {
    return this.#budget.take(holder) === undefined
  }
}
