import { tally } from '../../collections/tally.ts'

/*
 * Clients by upstream URL. A client in use is never evicted, and one that has recently served somebody only if no other
 * is left. So a burst of new URLs hardly affects other callers.
 */

export interface Closable {
  /** Whether it has recently served somebody. */
  readonly isProven: boolean
  /** Whose it is: the holder with the most clients loses one first. */
  readonly holder: string
  /** Lets what is under way finish. */
  close(): Promise<void>
  /** Ends what is under way. */
  destroy(): Promise<void>
}

/** A client for as long as it is needed. */
export interface Lease<C> {
  readonly client: C
  /** Gives it back; further calls do nothing. */
  release(): void
}

export type EvictionReason = 'idle' | 'lru'

interface PoolOptions {
  /** FORGE_POOL_MAX_SIZE */
  readonly maxSize: number
  /** FORGE_POOL_IDLE_TIMEOUT, milliseconds */
  readonly idleMs: number
  /** Clock in milliseconds. */
  readonly now: () => number
  readonly onEvicted?: (reason: EvictionReason, url: string) => void
}

/** The pool is full and every client is in use, or one caller or host has used up its share. */
export class PoolCapacityError extends Error {
  constructor() {
    super('Server capacity reached: calls to too many forges are under way. Try again later.')
    this.name = 'PoolCapacityError'
  }
}

interface Entry<C> {
  readonly client: C
  users: number
  lastUsed: number
}

/** At most `maxSize` clients: unused ones are evicted after `idleMs`, or to make room. */
export class ClientPool<C extends Closable> {
  readonly #options: PoolOptions
  /** In order of last use. */
  readonly #entries = new Map<string, Entry<C>>()
  /** Evicted clients that are still closing. */
  readonly #closing = new Set<C>()

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  /** All clients that are kept. */
  get clients(): readonly C[] {
    return [...this.#entries.values()].map(({ client }) => client)
  }

  /** The client of a normalized URL, if there is one; it may be evicted unless it is acquired. */
  peek(url: string): C | undefined {
    return this.#entries.get(url)?.client
  }

  /**
   * The client of a normalized URL.
   * @param create makes it if there is none
   * @throws PoolCapacityError if there is no room and nothing can be evicted
   */
  acquire(url: string, create: () => C): Lease<C> {
    const entry = this.#entries.get(url) ?? this.#add(url, create)
    entry.users++
    this.#touch(url, entry)
    let released = false
    return {
      client: entry.client,
      release: () => {
        if (released) return
        released = true
        entry.users--
        if (this.#entries.get(url) === entry) this.#touch(url, entry)
      }
    }
  }

  /** Evicts clients that were idle for too long. */
  sweep(): void {
    const oldest = this.#options.now() - this.#options.idleMs
    for (const [url, entry] of this.#entries) {
      if (entry.lastUsed > oldest) return
      if (entry.users === 0) this.#evict(url, entry, 'idle')
    }
  }

  /** Closes every client. Calls must have finished before. */
  async close(): Promise<void> {
    const { clients } = this
    this.#entries.clear()
    await Promise.all([...clients, ...this.#closing].map(client => client.destroy()))
  }

  #add(url: string, create: () => C): Entry<C> {
    if (this.#entries.size >= this.#options.maxSize) this.#makeRoom()
    const entry: Entry<C> = { client: create(), users: 0, lastUsed: 0 }
    this.#entries.set(url, entry)
    return entry
  }

  /**
   * Evicts the longest unused client of the holder with the most, first among clients that have served nobody, then
   * among the others.
   */
  #makeRoom(): void {
    const idle = [...this.#entries].filter(([, { users }]) => users === 0)
    const unproven = idle.filter(([, { client }]) => !client.isProven)
    const [found] = this.#ofBiggestHolder(unproven.length > 0 ? unproven : idle)
    if (found === undefined) throw new PoolCapacityError()
    this.#evict(...found, 'lru')
  }

  #ofBiggestHolder(entries: readonly [string, Entry<C>][]): readonly [string, Entry<C>][] {
    const sizes = new Map<string, number>()
    for (const { client } of this.#entries.values()) tally(sizes, client.holder, 1)
    const sizeOf = ([, { client }]: [string, Entry<C>]) => sizes.get(client.holder) ?? 0
    const most = Math.max(...entries.map(sizeOf))
    return entries.filter(entry => sizeOf(entry) === most)
  }

  #touch(url: string, entry: Entry<C>): void {
    entry.lastUsed = this.#options.now()
    this.#entries.delete(url)
    this.#entries.set(url, entry)
  }

  #evict(url: string, { client }: Entry<C>, reason: EvictionReason): void {
    this.#entries.delete(url)
    this.#closing.add(client)
    const gone = () => this.#closing.delete(client)
    client.close().then(gone, gone)
    this.#options.onEvicted?.(reason, url)
  }
}
