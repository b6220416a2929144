import { LRUCache } from 'lru-cache'
import type { Candidate } from './source.ts'

/** What was found for one search. */
export interface Answer {
  readonly candidates: readonly Candidate[]
  /** There are no others: what is narrower is in it. */
  readonly isWhole: boolean
}

/** Milliseconds for which an answer holds: as long as somebody types. */
const FRESH_MS = 30_000
/** Characters of all answers together, and their number. */
const MAX_CHARS = 2_000_000
const MAX_ANSWERS = 2_000

/**
 * Answers of forges to searches, so that a person who goes on typing asks the forge no more than is needed. A failure
 * is an answer with nothing in it.
 */
export class CompletionCache {
  readonly #answers: LRUCache<string, Answer>

  /** @param clock milliseconds, such as `performance` */
  constructor(clock: { now(): number } = performance) {
    this.#answers = new LRUCache({
      max: MAX_ANSWERS,
      maxSize: MAX_CHARS,
      sizeCalculation: ({ candidates }, key) =>
        candidates.reduce((sum, { value, title = '' }) => sum + value.length + title.length, key.length + 1),
      ttl: FRESH_MS,
      ttlResolution: 0,
      perf: clock
    })
  }

  /** @param list which caller's, of which forge, of what @returns what answers a search: its own, or a wider one that was whole */
  find(list: string, search: string): Answer | undefined {
    const own = this.#answers.get(keyOf(list, search))
    if (own !== undefined) return own
    for (let length = search.length - 1; length >= 0; length--) {
      const wider = this.#answers.get(keyOf(list, search.slice(0, length)))
      if (wider?.isWhole) return wider
    }
    return undefined
  }

  keep(list: string, search: string, answer: Answer): void {
    this.#answers.set(keyOf(list, search), answer)
  }
}

const keyOf = (list: string, search: string): string => `${list}\n${search.toLowerCase()}`
