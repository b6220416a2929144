/**
 * Computes how long expensive pieces take to be paid for. All of them together take at most half of the time. That half
 * is divided among the pools that have expensive pieces, within a pool among addresses of callers, and within an
 * address one piece after another. So a caller who names many forges, or has many streams, makes nobody else pay for
 * them.
 */
export class PieceDebts {
  /** Pool → address → when its expensive pieces so far are paid for. */
  readonly #paidAt = new Map<string, Map<string, number>>()

  /**
   * Charges a piece that has just taken so many milliseconds.
   * @param now by a clock in milliseconds
   * @returns when it is paid for, by that clock
   */
  add(pool: string, from: string, ms: number, now: number): number {
    const began = now - ms
    for (const [name, debts] of this.#paidAt) {
      for (const [address, at] of debts) if (at <= began) debts.delete(address)
      if (debts.size === 0) this.#paidAt.delete(name)
    }
    const debts = this.#paidAt.get(pool) ?? new Map<string, number>()
    const before = debts.get(from) ?? began
    this.#paidAt.set(pool, debts.set(from, before))
    const paidAt = before + 2 * ms * this.#paidAt.size * debts.size
    debts.set(from, paidAt)
    return paidAt
  }
}
