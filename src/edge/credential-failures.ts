import { RequestBudget } from '../session/request-budget.ts'

export const failureLimits = {
  /** Credentials that forges may refuse to one address in a minute, before those that none has taken lately are. */
  failures: 60,
  /** The same by pages of what stands before a forge: these are no word on the credential, but may depend on it. */
  byPages: 600,
  windowMs: 60_000,
  /** Addresses whose failures are counted. */
  addresses: 10_000
} as const

/** How many credentials were refused lately to each address. */
export class CredentialFailures {
  readonly #failures: RequestBudget
  readonly #byPages: RequestBudget

  /** @param now clock of durations in milliseconds */
  constructor(now: () => number) {
    const { addresses, byPages, failures, windowMs } = failureLimits
    this.#failures = new RequestBudget(failures, windowMs, addresses, now)
    this.#byPages = new RequestBudget(byPages, windowMs, addresses, now)
  }

  /** @param address its holder (address.ts) @param byPage what stands before the forge said so, in its place */
  add(address: string, byPage: boolean): void {
    const budget = byPage ? this.#byPages : this.#failures
    budget.take(address)
  }

  /** @returns whole seconds until a credential of the address may be tried again; undefined when it may now */
  refuses(address: string): number | undefined {
    return (this.#failures.shortage(address) ?? this.#byPages.shortage(address))?.resetSeconds
  }
}
