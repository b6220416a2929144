/**
 * What part of a pool one holder (a caller, an address) may have at once, so that who names many slow forges fills
 * the pool for itself and not for others.
 */
export class Shares {
  readonly #most: number
  readonly #held = new Map<string, Map<string, number>>()

  /** @param most things that one holder has at once */
  constructor(most: number) {
    this.#most = most
  }

  /** Holders of something. */
  get size(): number {
    return this.#held.size
  }

  /** @returns false when the holder has its part already and this would be more; else `give` is due */
  take(holder: string, url: string): boolean {
    const held = this.#held.get(holder) ?? new Map<string, number>()
    const times = held.get(url) ?? 0
    if (times === 0 && held.size >= this.#most) return false
    held.set(url, times + 1)
    this.#held.set(holder, held)
    return true
  }

  give(holder: string, url: string): void {
    const held = this.#held.get(holder)
    const times = held?.get(url) ?? 0
    if (times > 1) held?.set(url, times - 1)
    else held?.delete(url)
    if (held?.size === 0) this.#held.delete(holder)
  }
}
