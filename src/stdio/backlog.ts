import { MIB } from '../base/units.ts'
import type { RequestId } from '../protocol/messages/jsonrpc.ts'

/** Why a request need not wait any longer. */
export type Turn = 'begin' | 'cancelled' | 'ending'

interface BacklogLimits {
  /** Requests that run at once. */
  readonly running: number
  /** Most requests that wait; beyond that, nothing more should be read. */
  readonly waiting: number
  /**
   * Most bytes of the running requests, unless only one runs. Also the bytes of waiting requests beyond which nothing
   * more should be read.
   */
  readonly bytes: number
}

/** Far more than a client runs at once on purpose, and as much as fits into a small heap. */
const backlogLimits: BacklogLimits = { running: 64, waiting: 4_096, bytes: 16 * MIB }

interface Waiting {
  readonly id: RequestId | undefined
  readonly bytes: number
  end(turn: Turn): void
}

/**
 * Requests of one client, of which a limited number runs at once. The rest waits in order. So no request is refused
 * when a client sends many in one go, and cancellations and answers that it sends meanwhile can be read.
 */
export class Backlog {
  readonly #limits: BacklogLimits
  readonly #mayBegin: () => boolean
  readonly #onRoom: () => void
  readonly #waiting = new Set<Waiting>()
  #waitingBytes = 0
  #running = 0
  #runningBytes = 0
  #isLast = false

  /**
   * @param mayBegin whether the client takes its answers; call `next` when it does so again
   * @param onRoom called when fewer requests wait
   */
  constructor(mayBegin: () => boolean, onRoom: () => void, limits = backlogLimits) {
    this.#mayBegin = mayBegin
    this.#onRoom = onRoom
    this.#limits = limits
  }

  /** Whether nothing more should be read. */
  get isFull(): boolean {
    return this.#waiting.size >= this.#limits.waiting || this.#waitingBytes >= this.#limits.bytes
  }

  /**
   * Waits for the turn of a request.
   * @param id undefined if the request cannot be cancelled
   * @returns `begin`, after which the caller must call `done` with the same number of bytes, or the reason why the
   * request is not to begin
   */
  turn(id: RequestId | undefined, bytes: number): Promise<Turn> {
    return new Promise(end => {
      this.#waiting.add({ id, bytes, end })
      this.#waitingBytes += bytes
      this.next()
    })
  }

  /** To be called when a request that has begun is answered. */
  done(bytes: number): void {
    this.#running--
    this.#runningBytes -= bytes
    this.next()
  }

  /** Removes the waiting request with such an id, if there is one. */
  cancel(id: unknown): void {
    if (id === undefined) return
    const named = [...this.#waiting].find(waiting => waiting.id === id)
    if (named !== undefined) this.#end(named, 'cancelled')
  }

  /** Begins all requests that may begin. */
  next(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting)) break
      this.#running++
      this.#runningBytes += waiting.bytes
      this.#end(waiting, 'begin')
    }
  }

  /** To be called when nothing more will be read: waiting requests begin then, whether or not answers are taken. */
  last(): void {
    this.#isLast = true
    this.next()
  }

  /** Removes all waiting requests. */
  stop(): void {
    for (const waiting of this.#waiting) this.#end(waiting, 'ending')
  }

  #fits({ bytes }: Waiting): boolean {
    if (!this.#isLast && !this.#mayBegin()) return false
    if (this.#running === 0) return true
    return this.#running < this.#limits.running && this.#runningBytes + bytes <= this.#limits.bytes
  }

  #end(waiting: Waiting, turn: Turn): void {
    this.#waiting.delete(waiting)
    this.#waitingBytes -= waiting.bytes
    waiting.end(turn)
    if (!this.isFull) this.#onRoom()
  }
}
