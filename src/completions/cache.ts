import { LRUCache } from 'lru-cache'
import { type Place, SharedRoom } from '../shared-room.ts'
import type { Candidate } from './source.ts'

/** What was found for one search. */
export interface Answer {
  readonly candidates: readonly Candidate[]
  /** There are no others: what is narrower is in it. */
  readonly isWhole: boolean
}

/** Milliseconds for which an answer holds: as long as somebody types. */
const FRESH_MS = 30_000
/** Characters of all answers together and of those of one holder; each counts for some. */
const MAX_CHARS = 2_000_000
const MAX_HOLDER_CHARS = MAX_CHARS / 4
const LEAST_CHARS = 1_000

interface Kept {
  readonly answer: Answer
  readonly size: number
  readonly place: Place
}

/**
 * Answers of forges to searches, so that a person who goes on typing asks the forge no more than is needed. A failure
 * is an answer with nothing in it.
 */
export class CompletionCache {
  readonly #answers: LRUCache<string, Kept>
  readonly #room = new SharedRoom({ each: MAX_HOLDER_CHARS })

  /** @param clock milliseconds, such as `performance` */
  constructor(clock: { now(): number } = performance) {
    this.#answers = new LRUCache({
      maxSize: MAX_CHARS,
      sizeCalculation: ({ size }) => size,
      ttl: FRESH_MS,
      ttlResolution: 0,
      perf: clock,
      dispose: ({ place }) => place.leave()
    })
  }

  /** @param list which caller's, of which forge, of what @returns what answers a search: its own, or a wider one that was whole */
  find(list: string, search: string): Answer | undefined {
    const own = this.#recall(list, search)
    if (own !== undefined) return own
    for (let length = search.length - 1; length >= 0; length--) {
      const wider = this.#recall(list, search.slice(0, length))
      if (wider?.isWhole) return wider
    }
    return undefined
  }

  #recall(list: string, search: string): Answer | undefined {
    const kept = this.#answers.get(keyOf(list, search))
    kept?.place.touch()
    return kept?.answer
  }

  /** @param holder whose room it takes, such as the caller's address */
  keep(list: string, search: string, answer: Answer, holder: string): void {
    const key = keyOf(list, search)
    const size = Math.max(LEAST_CHARS, key.length + charsOf(answer))
    if (size > MAX_HOLDER_CHARS) return
    const place = this.#room.take(holder, size, () => this.#answers.delete(key))
    this.#answers.set(key, { answer, size, place })
  }
}

const charsOf = ({ candidates }: Answer): number =>
  candidates.reduce((sum, { value, title = '' }) => sum + value.length + title.length, 0)

const keyOf = (list: string, search: string): string => `${list}\n${search.toLowerCase()}`
