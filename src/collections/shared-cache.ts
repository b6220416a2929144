import { LRUCache } from 'lru-cache'
import { atMost } from './at-most.ts'
import { type RoomPlace, SharedRoom } from './shared-room.ts'

interface Entry<V> {
  readonly value: V
  readonly size: number
  readonly place: RoomPlace
}

/**
 * How much is kept in total, beyond which the least recently used value is dropped, and for one holder. The user of the
 * cache decides what is counted.
 */
interface SizedLimits {
  readonly all: number
  readonly each: number
}

/**
 * Keeps values by name, for a time, for holders who do not trust each other. If the values are counted, the holder with
 * the most loses one when room is needed (SharedRoom). If they have sizes, each holder has its own share.
 */
export class SharedCache<V> {
  readonly #entries: LRUCache<string, Entry<V>>
  readonly #room: SharedRoom

  /**
   * @param limits most values at once, of all holders, or limits for their sizes
   * @param ttlMs how long a value is kept, unless `set` says otherwise
   * @param now clock in milliseconds
   */
  constructor(limits: number | SizedLimits, ttlMs: number, now: () => number = () => performance.now()) {
    this.#entries = new LRUCache({
      ...atMost(typeof limits === 'number' ? limits : limits.all, ttlMs, now),
      sizeCalculation: ({ size }: Entry<V>) => size,
      dispose: ({ place }: Entry<V>) => place.leave()
    })
    this.#room = new SharedRoom(typeof limits === 'number' ? { all: limits } : { each: limits.each })
  }

  /** Returns the value of a name, and makes it the youngest of its holder. */
  get(name: string): V | undefined {
    const entry = this.#entries.get(name)
    entry?.place.touch()
    return entry?.value
  }

  /**
   * Keeps a value.
   * @param from its holder, such as an address (base/holders.ts)
   * @param size its size, less than `each`, if values have sizes; otherwise the number of values that it counts as
   */
  set(name: string, value: V, from: string, ttlMs?: number, size = 1): void {
    const place = this.#room.take(from, size, () => this.#entries.delete(name))
    this.#entries.set(name, { value, size, place }, ttlMs === undefined ? {} : { ttl: ttlMs })
  }

  delete(name: string): void {
    this.#entries.delete(name)
  }
}
