import { MIB } from '../base/units.ts'
import type { RequestId } from '../protocol/messages/jsonrpc.ts'

/** Why a request need not wait any longer. */
export type Turn = 'begin' | 'cancelled' | 'ending'

export interface BacklogLimits {
  /** Requests that run at once. */
  readonly running: number
  /** Requests that wait, beyond which nothing more should be read. */
  readonly waiting: number
  /** Bytes of those that run, if it is not a single one; and of those that wait, as before. */
  readonly bytes: number
}

/** Far more than a client has under way on purpose, and as much as fits into a small heap. */
const backlogLimits: BacklogLimits = { running: 64, waiting: 4_096, bytes: 16 * MIB }

interface Waiting {
  readonly id: RequestId | undefined
  readonly bytes: number
  end(turn: Turn): void
}

/**
 * Requests of one client, of which a limited number runs at once. The rest waits in order, so that nothing is refused
 * that a client asks in one go, and what it cancels or answers meanwhile can be read.
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
   * @param mayBegin whether the client takes its answers; when it does so again, `next` is to be called
   * @param onRoom called when fewer wait
   */
  constructor(mayBegin: () => boolean, onRoom: () => void, limits = backlogLimits) {
    this.#mayBegin = mayBegin
    this.#onRoom = onRoom
    this.#limits = limits
  }

  /** Whether no more should be read. */
  get isFull(): boolean {
    return this.#waiting.size >= this.#limits.waiting || this.#waitingBytes >= this.#limits.bytes
  }

  /**
   * Waits for the turn of a request.
   * @param id undefined where it cannot be cancelled
   * @returns `begin`, after which `done` is to be called with the same bytes, or why it is not to begin
   */
  turn(id: RequestId | undefined, bytes: number): Promise<Turn> {
    return new Promise(end => {
      this.#waiting.add({ id, bytes, end })
      this.#waitingBytes += bytes
      this.next()
    })
  }

  /** A request that has begun is answered. */
  done(bytes: number): void {
    this.#running--
    this.#runningBytes -= bytes
    this.next()
  }

  /** Takes a request out that waits, if there is one with such an id. */
  cancel(id: unknown): void {
    if (id === undefined) return
    const named = [...this.#waiting].find(waiting => waiting.id === id)
    if (named !== undefined) this.#end(named, 'cancelled')
  }

  /** Begins what may begin. */
  next(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting)) break
      this.#running++
      this.#runningBytes += waiting.bytes
      this.#end(waiting, 'begin')
    }
  }

  /** Nothing more will come: what waits begins, whether or not answers are taken. */
  last(): void {
    this.#isLast = true
    this.next()
  }

  /** Takes out all that wait. */
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
