import { RequestBudget } from '../../session/request-budget.ts'

/** Connections that are ended for one caller's address in a minute, and addresses that are counted at once. */
const limits = { each: 60, windowMs: 60_000, holders: 10_000 } as const

/**
 * Connections that are ended because a caller has gone. The next request has to make a new one, whoever's it is: where
 * callers hang up hundreds of times a second, nobody else would find one that is open.
 */
export class HangUps {
  readonly #budget: RequestBudget

  /** @param now clock in milliseconds */
  constructor(now?: () => number) {
    this.#budget = new RequestBudget(limits.each, limits.windowMs, limits.holders, now)
  }

  /** Counts one more, where that is allowed. @param holder as of Outgoing */
  allows(holder: string): boolean {
    return this.#budget.take(holder) === undefined
  }
}
