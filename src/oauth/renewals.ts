import { RequestBudget, type Shortage } from '../session/request-budget.ts'
import { loginLimits } from './limits.ts'

/**
 * How often logins are renewed. Each has its own count, so that nobody else uses it up; and whoever has many of them
 * renewed beside others takes what is left to those that are renewed once in a while last.
 */
export class Renewals {
  readonly #ofLogin: RequestBudget
  readonly #ofHolder: RequestBudget
  readonly #givenBack: RequestBudget

  /** @param now clock in milliseconds */
  constructor(now?: () => number) {
    const inWindow = (most: number) => new RequestBudget(most, loginLimits.windowMs, loginLimits.holders, now)
    this.#ofLogin = inWindow(loginLimits.renewals)
    this.#ofHolder = inWindow(loginLimits.renewalsOfHolder + loginLimits.firstOfHolder)
    this.#givenBack = inWindow(loginLimits.givenBack)
  }

  /**
   * Counts one, if it fits.
   * @param from who asks for it (Asker)
   * @returns undefined, or why it was not counted
   */
  take(login: string, from: string): Shortage | undefined {
    const isFirst = this.#ofLogin.shortage(login, loginLimits.renewals - loginLimits.first + 1) === undefined
    const short =
      this.#ofLogin.shortage(login) ??
      this.#ofHolder.shortage(from, isFirst ? 1 : loginLimits.firstOfHolder + 1)
    if (short !== undefined) return short
    this.#ofLogin.take(login, 1, from)
    return this.#ofHolder.take(from)
  }

  /** One that was counted brought a token that the forge does not take: the next ones will not be better. */
  refused(login: string, from: string): void {
    this.#ofLogin.take(login, loginLimits.refused - 1, from)
  }

  /**
   * One that was counted came to nothing by no fault of the login: an outage is not to keep logins out when it is over.
   */
  giveBack(login: string, from: string): void {
    if (this.#givenBack.take(from) !== undefined) return
    this.#ofLogin.giveBack(login)
    this.#ofHolder.giveBack(from)
  }
}
