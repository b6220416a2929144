import { InOrder, type Linked } from './in-order.ts'

/** Up to this size, holders are ranked exactly by what they hold; above it, to an eighth of an octave. */
const EXACT = 64
const STEPS = 8

/** A holder in one ranking. */
export interface Ranked<T> extends Linked<T> {
  /** How much it holds. */
  size: number
  /** Its rank, which the ranking sets; -1 before that. */
  rank: number
}

/** Holders, ranked by how much they hold; within a rank in the order in which they reached it. */
export class Ranking<T extends Ranked<T>> {
  readonly #ranks = new Map<number, InOrder<T>>()

  /** A holder of the highest rank; undefined when there is none. */
  get biggest(): T | undefined {
    let biggest: T | undefined
    for (const { first } of this.#ranks.values())
      if (first !== undefined && first.rank > (biggest?.rank ?? -1)) biggest = first
    return biggest
  }

  /** Ranks a holder that is new, or whose size has changed. */
  rank(one: T): void {
    const rank = rankOf(one.size)
    if (rank === one.rank) return
    this.remove(one)
    one.rank = rank
    const equals = this.#ranks.get(rank) ?? new InOrder<T>()
    this.#ranks.set(rank, equals)
    equals.append(one)
  }

  remove(one: T): void {
    this.#ranks.get(one.rank)?.remove(one)
  }
}

/** The rank for a size. There are a few hundred ranks at most, so finding the biggest holder is cheap. */
const rankOf = (size: number): number =>
  size <= EXACT ? Math.ceil(size) : EXACT + Math.ceil(STEPS * Math.log2(size / EXACT))
