import { AddressBudget } from '../../fairness/address-budget.ts'
import { RequestBudget, type Shortage } from '../../fairness/request-budget.ts'
import { loginLimits } from '../rules/limits.ts'
import { digest } from '../rules/pkce.ts'
import type { RefreshToken } from '../storage/storage.ts'

type Renewed = Pick<RefreshToken, 'login' | 'token'>

/**
 * Limits how often logins are renewed. Each login has a count of its own, which nobody else can use up. A holder who
 * renews many logins also has a limit for all of them; a part of that is reserved for logins that are rarely renewed.
 */
export class Renewals {
  readonly #ofLogin: RequestBudget
  readonly #ofHolder: AddressBudget
  /** Renewals with refused refresh tokens, by the digests of the tokens. */
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
   * Counts a renewal if it is within the limits.
   * @param from who asks for the renewal (LoginCaller)
   * @returns undefined, or why the renewal was not counted
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
   * Records that the forge refused the token of a counted renewal: further renewals with that token will fail, too.
   * They do not count for the login. A login has used tokens beside its live one, and whoever repeats a used one must
   * not lock out the live one.
   */
  refused({ login, token }: Renewed, from: string): void {
    this.#refused.take(digest(token), 1, from)
    this.#ofLogin.giveBack(login)
  }

  /** Takes back a counted renewal that failed through no fault of the login: an outage must not lock logins out. */
  giveBack({ login }: Renewed, from: string): void {
    if (this.#givenBack.take(from) !== undefined) return
    this.#ofLogin.giveBack(login)
    this.#ofHolder.giveBack(from)
  }
}
