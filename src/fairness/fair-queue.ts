import { type CancelSignal, onAbort } from '../base/cancellation.ts'
import { siteOf, turnHolderOf } from '../base/holders.ts'
import { WaitingLines } from './waiting-lines.ts'

export interface FairQueueLimits {
  /** Most waiting pieces of work, of all callers. */
  readonly all: number
  /** Most waiting pieces of work of one caller. */
  readonly caller: number
}

/** Whose work it is, and what gives it up while it waits. */
export interface WorkOwner {
  readonly caller: string
  /** The address of the caller; see holderOf. If it is known, turns are shared out by address. */
  readonly from?: string | undefined
  readonly signal: CancelSignal | undefined
}

/** Work that did not get its turn. */
export class QueueError extends Error {
  /** `elsewhere`: when its turn came, it belonged in another queue. */
  readonly why: 'full' | 'cancelled' | 'elsewhere'
  constructor(why: QueueError['why']) {
    super(why === 'full' ? 'too much is waiting' : why === 'cancelled' ? 'the caller has gone' : why)
    this.name = 'QueueError'
    this.why = why
  }
}

/** Waiting work. */
interface Waiter {
  start(): void
  turnAway(): void
}

/**
 * Runs one piece of work at a time. Addresses take turns, however much work each of them has waiting, because anybody
 * can make up callers, and at each of them its callers; those in one network have the turns and the room of one (WaitingLines). If too much is waiting, a
 * holder with the most loses its last piece. Work of a caller who has gone is dropped before it begins.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #waiting = new WaitingLines<Waiter>()
  #running = false
  /** The holder whose work is running, or ran last. */
  #served = ''

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  /** The number of waiting pieces of work. */
  get size(): number {
    return this.#waiting.size
  }

  /**
   * Runs `work` when it has its turn, and returns its result.
   * @throws QueueError when the queue is full, or fills up while this holder has the most, or when the signal aborts
   * before the turn; and what `work` throws
   */
  async run<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    if (this.#running) await this.#turn(owner)
    this.#running = true
    this.#served = turnHolderOf(owner)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn(owner: WorkOwner): Promise<void> {
    const { caller, signal } = owner
    const holder = turnHolderOf(owner)
    const isFull = this.#waiting.sizeOf(holder, caller) >= this.#limits.caller
    if (isFull || (this.size >= this.#limits.all && !this.#makeRoom(holder, caller)))
      return Promise.reject(new QueueError('full'))
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiting.remove(holder, waiter, caller)
        forget()
      }
      const fail = (why: QueueError['why']) => {
        end()
        reject(new QueueError(why))
      }
      const waiter: Waiter = {
        start: () => {
          end()
          resolve()
        },
        turnAway: () => fail('full')
      }
      if (signal?.aborted) return reject(new QueueError('cancelled'))
      const forget = onAbort(signal, () => fail('cancelled'))
      this.#waiting.add(holder, waiter, caller)
    })
  }

  /** Rejects the last work of the holder, or its caller, with the most, if that is more than these have. */
  #makeRoom(holder: string, caller: string): boolean {
    const displaced = this.#waiting.displacedBy(holder, caller)
    displaced?.turnAway()
    return displaced !== undefined
  }

  /** Starts the next work; `#running` stays set in between, so that no other can start. */
  #next(): void {
    const served = [this.#served, siteOf(this.#served)]
    // Whoever was just served may be first again, if nobody else waited then.
    const next = this.#waiting.take(name => (served.includes(name) ? 1 : 0))
    if (next === undefined) this.#running = false
    else next.start()
  }
}
