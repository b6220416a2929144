import { TurnEnd } from './turn-end.ts'

/** A socket, as far as it is used here. */
export interface Reader {
  pause(): unknown
  resume(): unknown
}

/** Microseconds of reading that a holder may have at once, as of a body of 4 MiB, and of each millisecond after that. */
const WORK = { most: 12_000, eachMs: 200 } as const

interface Holder {
  /** What has come in this turn. */
  came: number
  /** Microseconds of reading that it has had and that no time has made up for, as of `at`. */
  owed: number
  /** On the clock. */
  at: number
  /** Until it owes no more than it may. */
  rests: boolean
  readonly reading: Set<Reader>
  /** Longest paused first. */
  readonly paused: Set<Reader>
}

/** One connection's part in it. */
export interface FairRead {
  /**
   * Something has come of it.
   * @param cost of reading it, in requests
   * @param work about as many microseconds
   */
  came(cost?: number, work?: number): void
  /** It is closed, or what comes next is another's. */
  leave(): void
}

/**
 * Divides the reading of connections: all that have something to say are read in one turn of the event loop, be they
 * a thousand. Once so much has come of one holder in a turn, the rest of its connections is left for the next turns,
 * so many in each. A holder with few connections, or with quiet ones, loses nothing by it.
 *
 * One turn after another would still be full of it: so a holder of whom much is read on and on rests between them.
 */
export class FairReads {
  readonly #each: number
  readonly #turnEnd: TurnEnd
  readonly #now: () => number
  readonly #later: (next: () => void, ms: number) => void
  readonly #holders = new Map<string, Holder>()
  /** Of whom something has come in this turn, or connections are paused. */
  readonly #busy = new Set<Holder>()

  /**
   * @param each what may come of one holder in one turn, and how many of its paused connections are read in the next
   * @param soon calls what it is given in the next turn
   * @param now clock in milliseconds
   * @param later calls what it is given after so many milliseconds
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

  /** Holders of open connections, or of whom much was read just now. */
  get size(): number {
    return this.#holders.size
  }

  add(name: string, socket: Reader): FairRead {
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
        // Node reads on by itself where a body is taken, or dropped after its answer.
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

  /** What it owes by now. */
  #owed(holder: Holder): number {
    const now = this.#now()
    holder.owed = Math.max(0, holder.owed - (now - holder.at) * WORK.eachMs)
    holder.at = now
    return holder.owed
  }

  /** Who closes its connections and opens others owes what it did. */
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
