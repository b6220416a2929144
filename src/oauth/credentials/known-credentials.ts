import { HOUR_MS } from '../../base/units.ts'
import { SharedCache } from '../../collections/shared-cache.ts'

/** Most credentials at once. Beyond that, whoever has the most of them loses one: each renewal of a login adds one. */
const MAX_KNOWN = 10_000

/** How long a credential counts as lately accepted, in milliseconds. */
const KNOWN_MS = HOUR_MS

/**
 * Remembers credentials that are not made up, by the address that sent them, and whether the forge still accepts them.
 */
export class KnownCredentials {
  readonly #lives: SharedCache<boolean>

  /**
   * @param clock in milliseconds
   * @param max most credentials at once
   */
  constructor(clock: () => number, max = MAX_KNOWN) {
    this.#lives = new SharedCache(max, KNOWN_MS, clock)
  }

  /** Whether the forge has accepted it lately, and not refused it since. */
  has(key: string): boolean {
    return this.#lives.get(key) === true
  }

  /** The forge has accepted or issued it. */
  taken(key: string, from: string): void {
    this.#lives.set(key, true, from)
  }

  /** The forge accepted it at some time; this does not count as lately if it has refused it since. */
  takenOnce(key: string, from: string): void {
    if (this.#lives.get(key) === undefined) this.taken(key, from)
  }

  /** The forge refuses it. @returns whether it had accepted it lately */
  refused(key: string, from: string): boolean {
    const lived = this.#lives.get(key)
    if (lived !== undefined) this.#lives.set(key, false, from)
    return lived === true
  }
}
