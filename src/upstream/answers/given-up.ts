/** Requests to one origin, and to each once all together have many. Each keeps its path, its headers and its body. */
const limits = { all: 2_048, each: 512, share: 16 } as const

/**
 * Requests that were given up before they had a connection: undici keeps them until one is made, or fails. To a host that
 * takes none that is five seconds of each connection, and callers who hang up at once have sent thousands by then.
 */
export class GivenUp {
  readonly #origins = new Map<string, number>()
  #all = 0

  /** Whether so many wait for this origin that one more is not to be sent. */
  isFull(origin: string): boolean {
    const own = this.#origins.get(origin)
    return own !== undefined && own >= (this.#all < limits.all ? limits.each : limits.share)
  }

  /** One is given up. */
  add(origin: string): void {
    this.#count(origin, 1)
  }

  /** It is gone. */
  drop(origin: string): void {
    this.#count(origin, -1)
  }

  #count(origin: string, by: number): void {
    this.#all += by
    const own = (this.#origins.get(origin) ?? 0) + by
    if (own === 0) this.#origins.delete(origin)
    else this.#origins.set(origin, own)
  }
}
