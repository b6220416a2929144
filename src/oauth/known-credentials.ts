import { SharedCache } from '../shared-cache.ts'

/** Most at once. Who has most of them makes room: each renewal of a login is a new one. */
const MAX_KNOWN = 10_000

/** How long it stands, in milliseconds. */
const KNOWN_MS = 3_600_000

/** Credentials that are no made-up ones, by the address that brought them: whether the forge takes them still. */
export class KnownCredentials {
  readonly #lives: SharedCache<boolean>

  /** @param clock in milliseconds */
  constructor(clock: () => number, max = MAX_KNOWN) {
    this.#lives = new SharedCache(max, KNOWN_MS, clock)
  }

  /** Whether the forge has taken it lately, and not refused it since. */
  has(key: string): boolean {
    return this.#lives.get(key) === true
  }

  /** The forge has taken it, or given it. */
  taken(key: string, from: string): void {
    this.#lives.set(key, true, from)
  }

  /** The forge has taken it at some time: not lately, if it has refused it since. */
  takenOnce(key: string, from: string): void {
    if (this.#lives.get(key) === undefined) this.taken(key, from)
  }

  /** The forge refuses it. @returns whether it had taken it lately */
  refused(key: string, from: string): boolean {
    const lived = this.#lives.get(key)
    if (lived !== undefined) this.#lives.set(key, false, from)
    return lived === true
  }
}
