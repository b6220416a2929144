import { networkOf } from '../base/holders.ts'
import { InOrder, type Linked } from './in-order.ts'
import { type Ranked, Ranking } from './ranking.ts'

/** How much fits. The user of the room decides what is counted (bytes, sessions, connections). */
export interface RoomLimits {
  /** For all holders together. Default: no limit. */
  readonly all?: number
  /** For one holder. Default: no limit. */
  readonly each?: number
}

/** A holder's place in the room. */
export interface RoomPlace {
  /** Makes the place larger. This may drop the oldest place of its holder, or of the biggest holder. */
  grow(by: number): void
  /** Makes the place the youngest of its holder. */
  touch(): void
  /** Gives the place back; calling it again has no effect. */
  leave(): void
}

/**
 * A room shared by many holders who do not trust each other. No holder is refused. If there is too little room, the
 * oldest place of the biggest holder is dropped, and a holder over its own limit loses its oldest place. So a holder
 * who takes much only harms itself, and one who holds little keeps it, however many others come. Holders in one network
 * (networkOf) first count together: in the biggest network, the biggest holder loses a place. A holder that is in no
 * network is compared with whole networks.
 */
export class SharedRoom {
  readonly #limits: Required<RoomLimits>
  readonly #holders = new Map<string, Holder>()
  readonly #networks = new Map<string, Network>()
  /** Ranks networks, and holders that are in none. */
  readonly #ranking = new Ranking<Ranker>()
  #size = 0

  constructor({ all = Number.POSITIVE_INFINITY, each = Number.POSITIVE_INFINITY }: RoomLimits) {
    this.#limits = { all, each }
  }

  /** The sum of everything held. */
  get size(): number {
    return this.#size
  }

  /** The number of holders. */
  get holders(): number {
    return this.#holders.size
  }

  /** The name of a holder of the highest rank; undefined when nobody holds anything. */
  get biggest(): string | undefined {
    return this.#biggest()?.name
  }

  /**
   * Puts something into the room.
   * @param onLost called when the place was dropped to make room; it has been left by then. It must not throw.
   */
  take(name: string, size: number, onLost: () => void): RoomPlace {
    let holder = this.#holders.get(name)
    if (holder === undefined) {
      holder = new Holder(name, this.#networkOf(name))
      this.#holders.set(name, holder)
    }
    const place = new HeldPlace(this, holder, onLost)
    holder.append(place)
    this.grow(place, size)
    return place
  }

  /**
   * Drops the oldest place of the biggest holder.
   * @returns false when nobody holds anything
   */
  dropOne(): boolean {
    const oldest = this.#biggest()?.first
    oldest?.lose()
    return oldest !== undefined
  }

  /** For RoomPlace. */
  grow(place: HeldPlace, by: number): void {
    const { holder } = place
    if (place.hasLeft) return
    place.size += by
    this.#resize(holder, by)
    while (holder.size > this.#limits.each) {
      const loser = holder.first === place ? place.next : holder.first
      // A holder's only place may be larger than the holder's share: otherwise it would never fit.
      if (loser === undefined) break
      loser.lose()
    }
    while (this.#size > this.#limits.all && this.dropOne());
  }

  /** For RoomPlace. */
  leave(place: HeldPlace): void {
    const { holder } = place
    if (place.hasLeft) return
    place.hasLeft = true
    holder.remove(place)
    this.#resize(holder, -place.size)
    if (holder.first !== undefined) return
    this.#holders.delete(holder.name)
    const { network } = holder
    const ranking = network?.ranking ?? this.#ranking
    ranking.remove(holder)
    if (network === undefined || --network.holders > 0) return
    this.#networks.delete(network.name)
    this.#ranking.remove(network)
  }

  #networkOf(name: string): Network | undefined {
    const of = networkOf(name)
    if (of === undefined) return undefined
    const network = this.#networks.get(of) ?? new Network(of)
    this.#networks.set(of, network)
    network.holders++
    return network
  }

  #resize(holder: Holder, by: number): void {
    this.#size += by
    holder.size += by
    const { network } = holder
    const ranking = network?.ranking ?? this.#ranking
    ranking.rank(holder)
    if (network === undefined) return
    network.size += by
    this.#ranking.rank(network)
  }

  #biggest(): Holder | undefined {
    let { biggest } = this.#ranking
    while (biggest instanceof Network) biggest = biggest.ranking.biggest
    return biggest
  }
}

/**
 * A holder, which is itself the list of its places: most holders have one place, and a separate list object would be
 * larger than everything else.
 */
class Holder extends InOrder<HeldPlace> implements Ranked<Ranker> {
  readonly name: string
  readonly network: Network | undefined
  size = 0
  rank = -1
  /** Neighbours of the same rank. */
  previous: Ranker | undefined
  next: Ranker | undefined

  constructor(name: string, network: Network | undefined) {
    super()
    this.name = name
    this.network = network
  }
}

/** The members of a ranking. */
type Ranker = Holder | Network

/** A network, and the ranking of the holders in it. */
class Network implements Ranked<Ranker> {
  readonly name: string
  readonly ranking = new Ranking<Ranker>()
  /** How many holders are in it. */
  holders = 0
  size = 0
  rank = -1
  /** Neighbours of the same rank. */
  previous: Ranker | undefined
  next: Ranker | undefined

  constructor(name: string) {
    this.name = name
  }
}

class HeldPlace implements RoomPlace, Linked<HeldPlace> {
  readonly holder: Holder
  size = 0
  hasLeft = false
  /** Neighbours of the same holder. */
  previous: HeldPlace | undefined
  next: HeldPlace | undefined
  readonly #room: SharedRoom
  #onLost: () => void

  constructor(room: SharedRoom, holder: Holder, onLost: () => void) {
    this.#room = room
    this.holder = holder
    this.#onLost = onLost
  }

  grow(by: number): void {
    this.#room.grow(this, by)
  }

  touch(): void {
    if (this.hasLeft) return
    this.holder.remove(this)
    this.holder.append(this)
  }

  leave(): void {
    this.#room.leave(this)
    // Otherwise code that still has the place would keep the objects behind `onLost` in memory, which count for nobody
    // now.
    this.#onLost = nothing
  }

  lose(): void {
    const onLost = this.#onLost
    this.leave()
    onLost()
  }
}

const nothing = () => {}
