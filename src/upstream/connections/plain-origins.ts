import { LRUCache } from 'lru-cache'
import { HOUR_MS } from '../../base/units.ts'
import { atMost } from '../../collections/at-most.ts'

/**
 * Origins that one dispatcher remembers at once: few, because there are very many dispatchers. And for how many
 * milliseconds it remembers each after its last answer.
 */
const limits = { origins: 10, forMs: HOUR_MS } as const

/**
 * Origins that have recently answered over plain http, with whatever status. If one of them hangs up, the scheme of its
 * URL is not the reason.
 */
export class PlainOrigins {
  readonly #answered = new LRUCache<string, true>(atMost(limits.origins, limits.forMs))

  /** Notes an answer. @param origin with any scheme: only those of http are remembered */
  add(origin: string): void {
    if (origin.startsWith('http:')) this.#answered.set(origin, true)
  }

  has(origin: string): boolean {
    return this.#answered.has(origin)
  }
}
