import { tally } from '../../collections/tally.ts'

/**
 * Most requests of one holder to one origin, and to all origins; fewer once all holders together have many. Each keeps
 * its path, headers and body in memory: at most 8 KiB, unless room was taken for them (Outgoing.keep).
 */
const limits = { all: 2_048, plenty: { each: 512, origin: 128 }, scarce: { each: 64, origin: 16 } } as const

/** The requests that one holder has given up. */
interface Own {
  all: number
  readonly origins: Map<string, number>
}

/**
 * Requests that were given up before they had a connection. Undici keeps them until a connection is made or fails. For
 * a host that accepts none, that takes five seconds for each connection, and callers who hang up at once can send
 * thousands meanwhile. They are counted for the holder that gave them up: others who use the same origin may have a
 * connection there.
 */
export class GivenUp {
  readonly #holders = new Map<string, Own>()
  #all = 0

  /** Whether this holder has so many waiting that no more may be sent. */
  isFull(holder: string, origin: string): boolean {
    const own = this.#holders.get(holder)
    if (own === undefined) return false
    const most = this.#all < limits.all ? limits.plenty : limits.scarce
    return own.all >= most.each || (own.origins.get(origin) ?? 0) >= most.origin
  }

  /** Counts a request that is given up. */
  add(holder: string, origin: string): void {
    this.#count(holder, origin, 1)
  }

  /** Stops counting a request that undici has dropped. */
  drop(holder: string, origin: string): void {
    this.#count(holder, origin, -1)
  }

  #count(holder: string, origin: string, by: number): void {
    const own = this.#holders.get(holder) ?? { all: 0, origins: new Map() }
    tally(own.origins, origin, by)
    own.all += by
    this.#all += by
    if (own.all === 0) this.#holders.delete(holder)
    else this.#holders.set(holder, own)
  }
}
