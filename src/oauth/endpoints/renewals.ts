import { AddressBudget } from '../../fairness/address-budget.ts'
import { RequestBudget, type Shortage } from '../../fairness/request-budget.ts'
import { loginLimits } from '../rules/limits.ts'
import { digest } from '../rules/pkce.ts'
import type { RefreshToken } from '../storage/storage.ts'

type Renewed = Pick<RefreshToken, 'login' | 'token'>

/**
 * Limits how often logins are renewed. Each login has a count of its own, so that nobody else can use it up. A holder
 * who renews many logins uses up the room that is left for rarely renewed logins last.
 */
export class Renewals {
  readonly #ofLogin: RequestBudget
  readonly #ofHolder: AddressBudget
  /** Of refresh tokens, by their digests. */
  readonly #refused: RequestBudget
  readonly #givenBack: AddressBudget

  /** @param now clock in milliseconds */
  constructor(now?: () => number) {
    const { firstOfHolder, givenBack, holders, refused, renewals, renewalsOfHolder, windowMs } = loginLimits
    this.#ofLogin = new RequestBudget(renewals, windowMs, holders, now)
    this.#ofHolder = new AddressBudget(renewalsOfHolder + firstOfHolder, windowMs, holders, now)
    this.#refused = new RequestBudget(refused, windowMs, holders, now)
    this.#givenBack = new AddressBudget(givenBack, windowMs, holders, now)
  }

  /**
   * Counts a renewal, if it is within the limits.
   * @param from who asks for it (LoginCaller)
   * @returns undefined, or why it was not counted
   */
  take({ login, token }: Renewed, from: string): Shortage | undefined {
    const isFirst = this.#ofLogin.shortage(login, loginLimits.renewals - loginLimits.first + 1) === undefined
    const short =
      this.#refused.shortage(digest(token)) ??
      this.#ofLogin.shortage(login) ??
      this.#ofHolder.shortage(from, isFirst ? 1 : loginLimits.firstOfHolder + 1)
    if (short !== undefined) return short
    this.#ofLogin.take(login, 1, from)
    return this.#ofHolder.take(from)
  }

  /**
   * A counted renewal had a token that the forge refuses: the next ones with it will fail, too. A login has used tokens
   * besides its live one, so whoever repeats one of those must not lock out the other.
   */
  refused({ login, token }: Renewed, from: string): void {
    this.#refused.take(digest(token), 1, from)
    this.#ofLogin.giveBack(login)
  }

  /** A counted renewal failed through no fault of the login: after an outage, logins must not be locked out. */
  giveBack({ login }: Renewed, from: string): void {
    if (this.#givenBack.take(from) !== undefined) return
    this.#ofLogin.giveBack(login)
    this.#ofHolder.giveBack(from)
  }
}
