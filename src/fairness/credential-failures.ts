import { AddressBudget } from './address-budget.ts'

export const failureLimits = {
  /**
   * Refused credentials per address and minute. After that many, only credentials that a forge has recently accepted
   * are let through.
   */
  failures: 60,
  /**
   * The same for refusals by pages of a proxy in front of a forge. These do not judge the credential, but may depend on
   * it.
   */
  byPages: 600,
  windowMs: 60_000,
  /** Addresses whose failures are counted. */
  addresses: 10_000
} as const

/** Counts the credentials that were recently refused, by address and by its network. */
export class CredentialFailures {
  readonly #failures: AddressBudget
  readonly #byPages: AddressBudget

  /** @param now clock of durations in milliseconds */
  constructor(now: () => number) {
    const { addresses, byPages, failures, windowMs } = failureLimits
    this.#failures = new AddressBudget(failures, windowMs, addresses, now)
    this.#byPages = new AddressBudget(byPages, windowMs, addresses, now)
  }

  /**
   * @param address its holder (base/holders.ts)
   * @param byPage whether a proxy in front of the forge refused the credential
   */
  add(address: string, byPage: boolean): void {
    const budget = byPage ? this.#byPages : this.#failures
    budget.take(address)
  }

  /** @returns whole seconds until a credential of the address may be tried again; undefined when it may be tried now */
  refuses(address: string): number | undefined {
    return (this.#failures.shortage(address) ?? this.#byPages.shortage(address))?.resetSeconds
  }
}
