/*
 * Clients by upstream URL. A client in use is never evicted, so a burst of new URLs costs other callers no
 * more than the connections they were not using.
 */

export interface Closable {
  /** Lets what is under way finish. */
  close(): Promise<void>
  /** Ends what is under way. */
  destroy(): Promise<void>
}

/** A client for as long as it is needed. */
export interface Lease<C> {
  readonly client: C
  /** Gives it back; again is nothing. */
  release(): void
}

export type EvictionReason = 'idle' | 'lru'

export interface PoolOptions {
  /** FORGE_POOL_MAX_SIZE */
  readonly maxSize: number
  /** FORGE_POOL_IDLE_TIMEOUT, milliseconds */
  readonly idleMs: number
  /** Clock in milliseconds. */
  readonly now: () => number
  readonly onEvicted?: (reason: EvictionReason) => void
}

/** The pool is full and every client is in use, or one caller or host uses its part of it. */
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

/** At most `maxSize` clients: unused ones go after `idleMs`, or, the longest unused first, to make room. */
export class ClientPool<C extends Closable> {
  readonly #create: (url: string) => C
  readonly #options: PoolOptions
  /** In order of last use. */
  readonly #entries = new Map<string, Entry<C>>()
  /** Evicted ones that still close. */
  readonly #closing = new Set<C>()

  /** @param create makes the client of a normalized URL */
  constructor(create: (url: string) => C, options: PoolOptions) {
    this.#create = create
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  /** Clients in use. */
  get busy(): number {
    return [...this.#entries.values()].filter(({ users }) => users > 0).length
  }

  /**
   * The client of a URL, made when there is none.
   * @throws PoolCapacityError when there is no room and nothing that may go
   */
  acquire(url: string): Lease<C> {
    const entry = this.#entries.get(url) ?? this.#add(url)
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

  /** Evicts what was idle for too long. */
  sweep(): void {
    const oldest = this.#options.now() - this.#options.idleMs
    for (const [url, entry] of this.#entries) {
      if (entry.lastUsed > oldest) return
      if (entry.users === 0) this.#evict(url, entry, 'idle')
    }
  }

  /** Ends every client. Whoever serves calls has let them finish before. */
  async close(): Promise<void> {
    const clients = [...this.#entries.values()].map(({ client }) => client)
    this.#entries.clear()
    await Promise.all([...clients, ...this.#closing].map(client => client.destroy()))
  }

  #add(url: string): Entry<C> {
    if (this.#entries.size >= this.#options.maxSize) this.#makeRoom()
    const entry: Entry<C> = { client: this.#create(url), users: 0, lastUsed: 0 }
    this.#entries.set(url, entry)
    return entry
  }

  #makeRoom(): void {
    for (const [url, entry] of this.#entries) {
      if (entry.users > 0) continue
      this.#evict(url, entry, 'lru')
      return
    }
    throw new PoolCapacityError()
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
    this.#options.onEvicted?.(reason)
  }
}
