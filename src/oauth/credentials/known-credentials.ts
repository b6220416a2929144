import { HOUR_MS } from '../../base/units.ts'
import { SharedCache } from '../../collections/shared-cache.ts'

/**
 * Most credentials at once. Beyond that, the address with the most loses one. Each renewal of a login adds a
 * credential.
 */
const MAX_KNOWN = 10_000

/** How long a credential counts as recently accepted, in milliseconds. */
const KNOWN_MS = HOUR_MS

/**
 * Remembers credentials that are not made up, by the address that sent them, and whether the forge still accepts them.
 */
export class KnownCredentials {
  readonly #lives: SharedCache<boolean>

  /**
   * @param now clock in milliseconds
   * @param max most credentials at once
   */
  constructor(now: () => number, max = MAX_KNOWN) {
    this.#lives = new SharedCache(max, KNOWN_MS, now)
  }

  /** Whether the forge has recently accepted the credential, and not refused it since. */
  has(key: string): boolean {
    return this.#lives.get(key) === true
  }

  /** Records that the forge has accepted or issued the credential. */
  taken(key: string, from: string): void {
    this.#lives.set(key, true, from)
  }

  /**
   * Records that the forge accepted the credential at some time. This has no effect if the forge has refused it since.
   */
  takenOnce(key: string, from: string): void {
    if (this.#lives.get(key) === undefined) this.taken(key, from)
  }

  /**
   * Records that the forge refuses the credential.
   * @returns whether the forge had recently accepted it
   */
  refused(key: string, from: string): boolean {
    const lived = this.#lives.get(key)
    if (lived !== undefined) this.#lives.set(key, false, from)
    return lived === true
  }
}
