import { hash } from 'node:crypto'
import { SharedCache } from '../collections/shared-cache.ts'
import { textBytes } from '../collections/text-bytes.ts'
import type { Candidate } from './source.ts'

/** The result of one search. */
export interface SearchResult {
  readonly candidates: readonly Candidate[]
  /** Whether the result is complete, so that it contains the results of narrower searches. */
  readonly isWhole: boolean
}

/** Milliseconds that an answer is kept: about as long as somebody types. */
const FRESH_MS = 30_000
/** Most bytes of all answers together, and of those of one holder; each answer counts for at least some. */
const MAX_BYTES = 2_000_000
const MAX_HOLDER_BYTES = MAX_BYTES / 4
const MIN_BYTES = 1_000
/** The bytes of a candidate besides its texts. */
const CANDIDATE_BYTES = 64
/** Most characters of a search whose answer also serves longer ones: most are complete after a few. */
const MAX_WIDER = 32

/**
 * Caches the answers of forges to searches, so that a person who goes on typing causes no more requests than needed. A
 * failure is kept as an empty answer.
 */
export class CompletionCache {
  readonly #answers: SharedCache<SearchResult>

  /** @param now clock of durations in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#answers = new SharedCache({ all: MAX_BYTES, each: MAX_HOLDER_BYTES }, FRESH_MS, now)
  }

  /**
   * Finds an answer to a search.
   * @param list identifies the caller, the forge and the kind of values
   * @returns the answer to this search, or a complete one to a wider search
   */
  find(list: string, search: string): SearchResult | undefined {
    const [of, typed] = [digestOf(list), search.toLowerCase()]
    const own = this.#answers.get(of + typed)
    if (own !== undefined) return own
    for (let length = Math.min(typed.length - 1, MAX_WIDER); length >= 0; length--) {
      const wider = this.#answers.get(of + typed.slice(0, length))
      if (wider?.isWhole) return wider
    }
    return undefined
  }

  /** Keeps an answer. @param holder whose share of the cache it uses, such as the caller's address */
  keep(list: string, search: string, answer: SearchResult, holder: string): void {
    const key = digestOf(list) + search.toLowerCase()
    const size = Math.max(MIN_BYTES, textBytes(key) + bytesOf(answer))
    if (size > MAX_HOLDER_BYTES) return
    this.#answers.set(key, answer, holder, undefined, size)
  }
}

const bytesOf = ({ candidates }: SearchResult): number =>
  candidates.reduce(
    (sum, { value, title = '' }) => sum + CANDIDATE_BYTES + textBytes(value) + textBytes(title),
    0
  )

/** A digest in place of a list of any length, because the key is looked up once for each letter of a search. */
const digestOf = (list: string): string => hash('sha256', list, 'base64url')
