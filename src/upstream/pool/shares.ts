import { tally } from '../../collections/tally.ts'

/** What one holder has. */
interface Held {
  /** How often each URL was taken. */
  readonly urls: Map<string, number>
  /** How often each taker has taken one of them. */
  readonly by: Map<string, number>
}

/**
 * The share of a pool that one holder (a caller, an address) may have at once. So whoever names many slow forges fills
 * the pool for themselves, not for others. If others can take a holder's places, some are kept for those who have none
 * of them.
 */
export class Shares {
  readonly #most: number
  readonly #spare: number
  readonly #held = new Map<string, Held>()

  /** @param most URLs that one holder may have at once @param spare additional ones, for takers who have none yet */
  constructor(most: number, spare = 0) {
    this.#most = most
    this.#spare = spare
  }

  /** Number of holders. */
  get size(): number {
    return this.#held.size
  }

  /**
   * @param by who takes it, if known
   * @returns false if this would exceed the holder's share; otherwise `give` must be called later
   */
  take(holder: string, url: string, by?: string): boolean {
    const held = this.#held.get(holder) ?? { urls: new Map(), by: new Map() }
    if (!held.urls.has(url) && held.urls.size >= this.#mostOf(held, by)) return false
    tally(held.urls, url, 1)
    if (by !== undefined) tally(held.by, by, 1)
    this.#held.set(holder, held)
    return true
  }

  #mostOf(held: Held, by: string | undefined): number {
    return by === undefined || held.by.has(by) ? this.#most : this.#most + this.#spare
  }

  give(holder: string, url: string, by?: string): void {
    const held = this.#held.get(holder)
    if (held === undefined) return
    tally(held.urls, url, -1)
    if (by !== undefined) tally(held.by, by, -1)
    if (held.urls.size === 0) this.#held.delete(holder)
  }
}
