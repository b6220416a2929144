import { tally } from '../../tally.ts'

/**
 * Requests of one holder to one origin, and to all of them; fewer once those of all holders are many. Each keeps its
 * path, its headers and its body.
 */
const limits = { all: 2_048, plenty: { each: 512, origin: 128 }, scarce: { each: 64, origin: 16 } } as const

/** What one holder has given up. */
interface Own {
  all: number
  readonly origins: Map<string, number>
}

/**
 * Requests that were given up before they had a connection: undici keeps them until one is made, or fails. To a host that
 * takes none that is five seconds of each connection, and callers who hang up at once have sent thousands by then.
 * They count for who gave them up: others who ask the same origin may have a connection there.
 */
export class GivenUp {
  readonly #holders = new Map<string, Own>()
  #all = 0

  /** Whether so many of this holder wait that one more is not to be sent. */
  isFull(holder: string, origin: string): boolean {
    const own = this.#holders.get(holder)
    if (own === undefined) return false
    const most = this.#all < limits.all ? limits.plenty : limits.scarce
    return own.all >= most.each || (own.origins.get(origin) ?? 0) >= most.origin
  }

  /** One is given up. */
  add(holder: string, origin: string): void {
    this.#count(holder, origin, 1)
  }

  /** It is gone. */
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
