import { tally } from '../../tally.ts'

/** What one holder has. */
interface Held {
  /** How often, by thing. */
  readonly urls: Map<string, number>
  /** How many of those, by who took them. */
  readonly by: Map<string, number>
}

/**
 * What part of a pool one holder (a caller, an address) may have at once, so that who names many slow forges fills
 * the pool for itself and not for others. Where others can take what is a holder's, some is left for whoever has none
 * of it.
 */
export class Shares {
  readonly #most: number
  readonly #spare: number
  readonly #held = new Map<string, Held>()

  /** @param most things that one holder has at once @param spare more of them, for those who have taken none */
  constructor(most: number, spare = 0) {
    this.#most = most
    this.#spare = spare
  }

  /** Holders of something. */
  get size(): number {
    return this.#held.size
  }

  /**
   * @param by who takes it, where that is known
   * @returns false when the holder has its part already and this would be more; else `give` is due
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
