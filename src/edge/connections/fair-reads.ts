import { siteOf } from '../../base/holders.ts'
import { TurnEnd } from '../../fairness/turn-end.ts'

/** A socket, as far as it is used here. */
export interface ReadSocket {
  pause(): unknown
  resume(): unknown
}

/**
 * Microseconds of reading that a holder may use at once (enough for a body of 4 MiB), and those that it gets for each
 * further millisecond.
 */
const WORK = { most: 12_000, eachMs: 200 } as const

interface Holder {
  /** Cost of the reads in this turn, in requests. */
  came: number
  /** Microseconds of reading that it has used and that have not been paid off by time, as of `at`. */
  owed: number
  /** Time on the clock, in milliseconds. */
  at: number
  /** Whether it is paused until it owes no more than is allowed. */
  rests: boolean
  readonly reading: Set<ReadSocket>
  /** Longest paused first. */
  readonly paused: Set<ReadSocket>
}

/** The share of one connection. */
export interface FairRead {
  /**
   * Reports a read.
   * @param cost of the read, in requests
   * @param work of the read, in estimated microseconds
   */
  came(cost?: number, work?: number): void
  /** The connection is closed, or its next data belongs to another holder. */
  leave(): void
}

/**
 * Divides the reading of connections fairly. Node reads all connections that have data in one turn of the event loop,
 * even a thousand. Once a holder has reached its limit in a turn, its other connections are paused, and a limited
 * number of them is read in each of the next turns. Holders with few or quiet connections are not slowed down.
 *
 * Such a holder could still fill one turn after another, so a holder that keeps sending a lot is also paused between
 * turns.
 */
export class FairReads {
  readonly #each: number
  readonly #turnEnd: TurnEnd
  readonly #now: () => number
  readonly #later: (next: () => void, ms: number) => void
  readonly #holders = new Map<string, Holder>()
  /** Holders whose connections were read in this turn, or who have paused connections. */
  readonly #busy = new Set<Holder>()

  /**
   * @param each cost that may be read for one holder in one turn, and how many of its paused connections are read in
   * the next
   * @param soon calls the function that it is given in the next turn
   * @param now clock in milliseconds
   * @param later calls a function after the given number of milliseconds
   */
  constructor(
    each: number,
    soon?: (next: () => void) => void,
    now: () => number = () => performance.now(),
    later: (next: () => void, ms: number) => void = setTimeout
  ) {
    this.#each = each
    this.#now = now
    this.#later = later
    this.#turnEnd = new TurnEnd(() => this.#next(), soon)
  }

  /** Number of holders with open connections, or for whom much was read recently. */
  get size(): number {
    return this.#holders.size
  }

  /** @param from the holder of the connection; all holders of one network (siteOf) count as one here */
  add(from: string, socket: ReadSocket): FairRead {
    const name = siteOf(from)
    let holder = this.#holders.get(name)
    if (holder === undefined) {
      holder = { came: 0, owed: 0, at: 0, rests: false, reading: new Set(), paused: new Set() }
      this.#holders.set(name, holder)
    }
    const { reading, paused } = holder
    const held = holder
    reading.add(socket)
    if (holder.rests) pauseAll(holder)
    return {
      came: (cost, work) => {
        this.#came(held, cost, work)
        // Node resumes reading by itself when a body is consumed, or discarded after its answer.
        if (paused.has(socket)) socket.pause()
      },
      leave: () => {
        reading.delete(socket)
        if (paused.delete(socket)) socket.resume()
        this.#forget(name, held)
      }
    }
  }

  #came(holder: Holder, cost = 1, work = 0): void {
    holder.came += cost
    if (work > 0) holder.owed = this.#owed(holder) + work
    this.#busy.add(holder)
    this.#turnEnd.await()
    if (holder.came >= this.#each || holder.owed > WORK.most) pauseAll(holder)
  }

  /** Microseconds that it owes now. */
  #owed(holder: Holder): number {
    const now = this.#now()
    holder.owed = Math.max(0, holder.owed - (now - holder.at) * WORK.eachMs)
    holder.at = now
    return holder.owed
  }

  /** Keeps what a holder owes, so that the holder cannot clear it by closing its connections and opening others. */
  #forget(name: string, holder: Holder): void {
    if (holder.reading.size + holder.paused.size > 0 || this.#holders.get(name) !== holder) return
    if (holder.owed === 0 || this.#owed(holder) === 0) this.#holders.delete(name)
    else this.#later(() => this.#forget(name, holder), holder.owed / WORK.eachMs)
  }

  #next(): void {
    for (const holder of this.#busy) {
      holder.came = 0
      if (holder.owed > WORK.most) this.#rest(holder)
      else if (!holder.rests) this.#resume(holder)
      if (holder.rests || holder.paused.size === 0) this.#busy.delete(holder)
    }
    if (this.#busy.size > 0) this.#turnEnd.await()
  }

  #rest(holder: Holder): void {
    if (holder.rests) return
    holder.rests = true
    const wake = () => {
      holder.rests = false
      this.#owed(holder)
      this.#busy.add(holder)
      this.#turnEnd.await()
    }
    this.#later(wake, (holder.owed - WORK.most) / WORK.eachMs)
  }

  #resume({ paused, reading }: Holder): void {
    let left = this.#each
    for (const socket of paused) {
      if (left-- === 0) break
      paused.delete(socket)
      reading.add(socket)
      socket.resume()
    }
  }
}

function pauseAll({ paused, reading }: Holder): void {
  for (const socket of reading) {
    socket.pause()
    paused.add(socket)
  }
  reading.clear()
}
