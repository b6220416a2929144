import { type CancelSignal, onAbort } from '../base/cancellation.ts'
import { siteOf, turnHolderOf } from '../base/holders.ts'
import { WaitingLines } from './waiting-lines.ts'

export interface FairQueueLimits {
  /** Most pieces of work that wait, of all callers. */
  readonly all: number
  /** Most pieces of work that wait, of one caller. */
  readonly caller: number
}

/** The owner of a piece of work, and the signal that gives the work up while it waits. */
export interface WorkOwner {
  readonly caller: string
  /** The address of the caller; see holderOf. If it is known, addresses take turns. */
  readonly from?: string | undefined
  readonly signal: CancelSignal | undefined
}

/** Work that did not get its turn. */
export class QueueError extends Error {
  /** `elsewhere`: when its turn came, the work belonged in another queue. */
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
 * Runs one piece of work at a time. Anybody can make up callers, so addresses take turns, however much work each of
 * them has waiting, and the callers of an address share its turns. All addresses of one network have the turns and the
 * room of one address (WaitingLines). If too much is waiting, the holder with the most loses its last piece. Work of a
 * caller who has gone is dropped before it begins.
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
   * Runs `work` when its turn comes, and returns its result.
   * @throws QueueError when the queue is full, when it fills up while this holder has the most, or when the signal
   * aborts before the turn; also whatever `work` throws
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

  /**
   * Rejects the last piece of work of the holder, or of the caller, that has the most waiting, if that is more than the
   * given holder and caller have.
   * @returns whether there is room now
   */
  #makeRoom(holder: string, caller: string): boolean {
    const displaced = this.#waiting.displacedBy(holder, caller)
    displaced?.turnAway()
    return displaced !== undefined
  }

  /** Starts the next piece of work. `#running` stays set in between, so that no other piece can start. */
  #next(): void {
    const served = [this.#served, siteOf(this.#served)]
    // The holder that was just served may be first in line again, if nobody else was waiting when its turn came.
    const next = this.#waiting.take(name => (served.includes(name) ? 1 : 0))
    if (next === undefined) this.#running = false
    else next.start()
  }
}
