import { TurnEnd } from './turn-end.ts'

/** What of a socket is used here. */
interface Readable {
  pause(): unknown
  resume(): unknown
}

interface Holder {
  /** What has come in this turn. */
  came: number
  readonly reading: Set<Readable>
  /** Longest paused first. */
  readonly paused: Set<Readable>
}

/** One connection's part in it. */
export interface FairRead {
  /** Something has come of it. @param cost of reading it, where that is more than of one request */
  came(cost?: number): void
  /** It is closed. */
  leave(): void
}

/**
 * Divides the reading of connections: all that have something to say are read in one turn of the event loop, be they
 * a thousand. Once so much has come of one holder in a turn, the rest of its connections is left for the next turns,
 * so many in each. A holder with few connections, or with quiet ones, loses nothing by it.
 */
export class FairReads {
  readonly #each: number
  readonly #turnEnd: TurnEnd
  readonly #holders = new Map<string, Holder>()
  /** Of whom something has come in this turn, or connections are paused. */
  readonly #busy = new Set<Holder>()

  /**
   * @param each what may come of one holder in one turn, and how many of its paused connections are read in the next
   * @param soon calls what it is given in the next turn
   */
  constructor(each: number, soon?: (next: () => void) => void) {
    this.#each = each
    this.#turnEnd = new TurnEnd(() => this.#next(), soon)
  }

  /** Holders of open connections. */
  get size(): number {
    return this.#holders.size
  }

  add(name: string, socket: Readable): FairRead {
    let holder = this.#holders.get(name)
    if (holder === undefined) {
      holder = { came: 0, reading: new Set(), paused: new Set() }
      this.#holders.set(name, holder)
    }
    const { reading, paused } = holder
    const held = holder
    reading.add(socket)
    return {
      came: cost => {
        this.#came(held, cost)
        // Node reads on by itself where a body is taken, or dropped after its answer.
        if (paused.has(socket)) socket.pause()
      },
      leave: () => {
        reading.delete(socket)
        paused.delete(socket)
        if (reading.size + paused.size === 0 && this.#holders.get(name) === held) this.#holders.delete(name)
      }
    }
  }

  #came(holder: Holder, cost = 1): void {
    holder.came += cost
    this.#busy.add(holder)
    this.#turnEnd.await()
    if (holder.came < this.#each) return
    for (const socket of holder.reading) {
      socket.pause()
      holder.paused.add(socket)
    }
    holder.reading.clear()
  }

  #next(): void {
    for (const holder of this.#busy) {
      holder.came = 0
      let left = this.#each
      for (const socket of holder.paused) {
        if (left-- === 0) break
        holder.paused.delete(socket)
        holder.reading.add(socket)
        socket.resume()
      }
      if (holder.paused.size === 0) this.#busy.delete(holder)
    }
    if (this.#busy.size > 0) this.#turnEnd.await()
  }
}
