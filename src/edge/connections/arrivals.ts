import type { Server } from 'node:net'
import { holderOf, siteOf } from '../../base/holders.ts'
import { type RoomPlace, SharedRoom } from '../../collections/shared-room.ts'
import { loopTurns } from '../../fairness/loop-turns.ts'
import { type Arrival, takeArrivals } from './accept-handles.ts'

/** How fast connections of one address begin. */
export interface ArrivalLimits {
  /** Connections that begin at once. */
  readonly atOnce: number
  /** Connections that begin after that as fast as turns allow. */
  readonly burst: number
  /** Connections that begin in a second after that. */
  readonly perSecond: number
  /** Connections that wait for that: of all addresses, and of each. */
  readonly waiting: { readonly all: number; readonly each: number }
}

export interface ArrivalsOptions {
  readonly limits: ArrivalLimits
  /** Whether an address is that of a proxy, which opens as many connections as its callers need. */
  readonly isProxy: (address: string) => boolean
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Called with the address of a connection that was reset because too many wait. */
  readonly onDropped: (address: string) => void
  /** Called with an error of our own code at a connection: it ends that connection, but not the process. */
  readonly onFault: (error: unknown) => void
  /** Calls what it is given after so many milliseconds. */
  readonly later?: (next: () => void, ms: number) => void
}

/** Milliseconds between two looks at those who wait. */
const LOOK_MS = 2

const inTime = (next: () => void, ms: number) => void setTimeout(next, ms).unref()

/**
 * Most connections that begin from one look to the next, of all addresses, at once or after they have waited: each takes a
 * third of a millisecond, and while one begins none is taken from the kernel.
 */
const MOST_IN_LOOK = 4

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
 * Divides the beginning of connections fairly. They are taken from the kernel one after another, whoever opens them, so
 * those of an address that opens thousands would delay everybody's. Beyond its share an address waits, which costs a
 * fraction of what beginning a connection does; where too many wait, the longest waiting is reset. Where more would begin
 * of all addresses than there is time for, so does whatever comes, and addresses take turns: what is left to the kernel
 * has no turns.
 */
export class Arrivals {
  readonly #options: ArrivalsOptions
  readonly #room: SharedRoom
  readonly #holders = new Map<string, Holder>()
  /** Those who have connections that wait, in the order of their turns. */
  readonly #queue = new Set<Holder>()
  /** How many may still begin until a time, by the clock. */
  #left = MOST_IN_LOOK
  #until = Number.NEGATIVE_INFINITY
  #isAwaited = false
  #isLeaving = false

  constructor(options: ArrivalsOptions) {
    this.#options = options
    this.#room = new SharedRoom(options.limits.waiting)
  }

  /** Addresses that have opened connections just now. */
  get size(): number {
    return this.#holders.size
  }

  /** Connections that wait. */
  get waiting(): number {
    return this.#room.size
  }

  /** Takes what arrives at a server that does not listen yet. */
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

  /** Forgets those who have paid. To be called twice a second or so. */
  sweep(): void {
    const now = this.#options.now()
    for (const [name, { paidUntil, waiting }] of this.#holders)
      if (paidUntil <= now && waiting.size === 0) this.#holders.delete(name)
  }

  /** The server leaves: what waits begins at once, and so does what still comes. */
  leave(): void {
    this.#isLeaving = true
    for (const holder of this.#queue)
      for (const one of holder.waiting) {
        this.#leaves(holder, one)
        this.#at(one.arrival, () => one.arrival.begin())
      }
    this.#queue.clear()
  }

  /** @param most that begin before the rate counts @returns whether the holder has one left, which is used up then */
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
    this.#left = MOST_IN_LOOK
    this.#until = this.#options.now() + LOOK_MS
  }

  #look(): void {
    this.#beginsAnew()
    let turn: readonly Holder[] = [...this.#queue]
    while (turn.length > 0) turn = turn.filter(holder => this.#left > 0 && this.#hasTurn(holder))
    if (this.#queue.size > 0) this.#await()
  }

  /** @returns whether one of its connections has begun, and others may */
  #hasTurn(holder: Holder): boolean {
    // At the end of the queue again, if any of its connections still waits.
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

  /** Does something with a connection, and catches what that throws: uncaught, it would end the process. */
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
