import { InOrder, type Linked } from './in-order.ts'

/** Up to this size, holders are ranked exactly by what they hold; above it, to an eighth of an octave. */
const EXACT = 64
const STEPS = 8

/** Somebody who holds something, in one ranking. */
export interface Ranked<T> extends Linked<T> {
  /** How much it holds. */
  size: number
  /** Its rank, which the ranking sets; -1 before that. */
  rank: number
}

/** Those who hold something, by how much it is; within a rank in order of arrival there. */
export class Ranking<T extends Ranked<T>> {
  readonly #ranks = new Map<number, InOrder<T>>()

  /** One that holds the most, as ranks tell it; undefined when there is none. */
  get biggest(): T | undefined {
    let biggest: T | undefined
    for (const { first } of this.#ranks.values())
      if (first !== undefined && first.rank > (biggest?.rank ?? -1)) biggest = first
    return biggest
  }

  /** Ranks one whose size has changed, or who is new. */
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

/** The rank for a size. There are some hundreds at most, so that few are looked at to find the biggest holder. */
const rankOf = (size: number): number =>
  size <= EXACT ? Math.ceil(size) : EXACT + Math.ceil(STEPS * Math.log2(size / EXACT))
