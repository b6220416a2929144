import { LRUCache } from 'lru-cache'
import { atMost } from './at-most.ts'
import { type Place, SharedRoom } from './shared-room.ts'

interface Entry<V> {
  readonly value: V
  readonly place: Place
}

/** Things under their names, kept for a time, of holders who do not trust each other: who has most makes room (SharedRoom). */
export class SharedCache<V> {
  readonly #entries: LRUCache<string, Entry<V>>
  readonly #room: SharedRoom

  /**
   * @param max most things at once, of all holders
   * @param ttlMs how long one is kept, where `set` says nothing else
   * @param now clock in milliseconds
   */
  constructor(max: number, ttlMs: number, now: () => number = Date.now) {
    this.#entries = new LRUCache({
      ...atMost(max),
      ttl: ttlMs,
      ttlResolution: 0,
      perf: { now },
      dispose: ({ place }: Entry<V>) => place.leave()
    })
    this.#room = new SharedRoom({ all: max })
  }

  /** What is under a name; it becomes the youngest of its holder. */
  get(name: string): V | undefined {
    const entry = this.#entries.get(name)
    entry?.place.touch()
    return entry?.value
  }

  /** @param from who holds it, such as an address (edge/address.ts) */
  set(name: string, value: V, from: string, ttlMs?: number): void {
    const place = this.#room.take(from, 1, () => this.#entries.delete(name))
    this.#entries.set(name, { value, place }, ttlMs === undefined ? {} : { ttl: ttlMs })
  }

  delete(name: string): void {
    this.#entries.delete(name)
  }
}
