import type { Server } from 'node:net'
import { holderOf, siteOf } from '../../base/holders.ts'
import { type RoomPlace, SharedRoom } from '../../collections/shared-room.ts'
import { loopTurns } from '../../fairness/loop-turns.ts'
import { type Arrival, takeArrivals } from './accept-handles.ts'

/** How fast connections of one address begin. */
export interface ArrivalLimits {
  /** Connections that begin without waiting. */
  readonly atOnce: number
  /** Connections that begin after those as fast as turns allow. */
  readonly burst: number
  /** Connections per second that begin after those. */
  readonly perSecond: number
  /** Most connections that wait: of all addresses, and of each. */
  readonly waiting: { readonly all: number; readonly each: number }
}

interface ArrivalsOptions {
  readonly limits: ArrivalLimits
  /** Whether an address is that of a proxy, which opens as many connections as its callers need. */
  readonly isProxy: (address: string) => boolean
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Called with the address of a connection that was reset because too many wait. */
  readonly onDropped: (address: string) => void
  /** Called with an error of our own code at a connection: it ends that connection, but not the process. */
  readonly onFault: (error: unknown) => void
  /** Calls a function after the given number of milliseconds. */
  readonly later?: (next: () => void, ms: number) => void
}

/** Milliseconds between two looks at the waiting connections. */
const LOOK_MS = 2

const inTime = (next: () => void, ms: number) => void setTimeout(next, ms).unref()

/**
 * Most connections, of all addresses, that begin between two looks, whether they have waited or not. Each takes a third
 * of a millisecond to begin, and meanwhile none is taken from the kernel.
 */
const MAX_IN_LOOK = 4

interface Waiting {
  readonly arrival: Arrival
  place: RoomPlace | undefined
}

interface Holder {
  readonly name: string
  /** Until when its connections have used up its share, by the clock. */
  paidUntil: number
  /** Longest waiting first. */
  readonly waiting: Set<Waiting>
}

/**
 * Divides the beginning of connections fairly. The kernel hands connections over one after another, whoever opens them,
 * so an address that opens thousands would delay everybody's. An address beyond its share waits, and a connection that
 * waits costs a fraction of one that begins. When too many wait, the one that has waited longest is reset. When more
 * connections of all addresses want to begin than there is time for, every new connection waits, and addresses take
 * turns. Connections that are left in the kernel's queue could not take turns.
 */
export class Arrivals {
  readonly #options: ArrivalsOptions
  readonly #room: SharedRoom
  readonly #holders = new Map<string, Holder>()
  /** Holders that have waiting connections, in the order of their turns. */
  readonly #queue = new Set<Holder>()
  /** How many connections may still begin until `#until`, a time on the clock. */
  #left = MAX_IN_LOOK
  #until = Number.NEGATIVE_INFINITY
  #isAwaited = false
  #isLeaving = false

  constructor(options: ArrivalsOptions) {
    this.#options = options
    this.#room = new SharedRoom(options.limits.waiting)
  }

  /** Number of addresses that have recently opened connections. */
  get size(): number {
    return this.#holders.size
  }

  /** Number of waiting connections. */
  get waiting(): number {
    return this.#room.size
  }

  /** Takes the connections that arrive at a server that does not listen yet. */
  guard(server: Server): void {
    takeArrivals(
      server,
      arrival => this.#at(arrival, () => this.take(arrival)),
      () => loopTurns.taken()
    )
  }

  /** Begins a connection, at once or in the turn of its address. */
  take(arrival: Arrival): void {
    if (this.#isLeaving || this.#options.isProxy(arrival.address)) {
      arrival.begin()
      return
    }
    const name = siteOf(holderOf(arrival.address))
    const holder = this.#holders.get(name) ?? { name, paidUntil: 0, waiting: new Set() }
    this.#holders.set(name, holder)
    if (this.#options.now() >= this.#until) this.#beginsAnew()
    const mayBegin = holder.waiting.size === 0 && this.#left > 0
    if (mayBegin && this.#pays(holder, this.#options.limits.atOnce)) {
      this.#left--
      arrival.begin()
      return
    }
    const waiting: Waiting = { arrival, place: undefined }
    holder.waiting.add(waiting)
    this.#queue.add(holder)
    waiting.place = this.#room.take(name, 1, () => {
      holder.waiting.delete(waiting)
      arrival.reset()
      this.#options.onDropped(arrival.address)
    })
    this.#await()
  }

  /** Forgets the holders whose share is paid off. To be called about twice a second. */
  sweep(): void {
    const now = this.#options.now()
    for (const [name, { paidUntil, waiting }] of this.#holders)
      if (paidUntil <= now && waiting.size === 0) this.#holders.delete(name)
  }

  /** To be called when the server shuts down: waiting connections begin at once, and so do those that still come. */
  leave(): void {
    this.#isLeaving = true
    for (const holder of this.#queue)
      for (const one of holder.waiting) {
        this.#leaves(holder, one)
        this.#at(one.arrival, () => one.arrival.begin())
      }
    this.#queue.clear()
  }

  /**
   * @param most connections that may begin before the rate applies
   * @returns whether the holder may begin one more; if so, that one is used up
   */
  #pays(holder: Holder, most: number): boolean {
    const { perSecond } = this.#options.limits
    const now = this.#options.now()
    const paidUntil = Math.max(holder.paidUntil, now) + 1000 / perSecond
    if (paidUntil - now > (1000 * most) / perSecond) return false
    holder.paidUntil = paidUntil
    return true
  }

  #await(): void {
    if (this.#isAwaited) return
    this.#isAwaited = true
    const { later = inTime } = this.#options
    later(() => {
      this.#isAwaited = false
      this.#look()
    }, LOOK_MS)
  }

  #beginsAnew(): void {
    this.#left = MAX_IN_LOOK
    this.#until = this.#options.now() + LOOK_MS
  }

  #look(): void {
    this.#beginsAnew()
    let turn: readonly Holder[] = [...this.#queue]
    while (turn.length > 0) turn = turn.filter(holder => this.#left > 0 && this.#hasTurn(holder))
    if (this.#queue.size > 0) this.#await()
  }

  /** @returns whether one of its connections has begun and others wait */
  #hasTurn(holder: Holder): boolean {
    // Goes to the end of the queue again if any of its connections still waits.
    this.#queue.delete(holder)
    const hasBegun = this.#beginsOne(holder)
    if (hasBegun) this.#left--
    if (holder.waiting.size > 0) this.#queue.add(holder)
    return hasBegun && holder.waiting.size > 0
  }

  #beginsOne(holder: Holder): boolean {
    for (const waiting of holder.waiting) {
      const { arrival } = waiting
      const isGone = arrival.isGone()
      if (!isGone && !this.#pays(holder, this.#options.limits.burst)) return false
      this.#leaves(holder, waiting)
      if (isGone) arrival.reset()
      else {
        this.#at(arrival, () => arrival.begin())
        return true
      }
    }
    return false
  }

  /** Runs work for a connection and catches its errors: uncaught, they would end the process. */
  #at(arrival: Arrival, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#options.onFault(error)
      arrival.reset()
    }
  }

  #leaves({ waiting }: Holder, one: Waiting): void {
    waiting.delete(one)
    one.place?.leave()
  }
}
