import { type CancelSignal, onAbort } from '../base/cancellation.ts'

export interface FairQueueLimits {
  /** Most waiting pieces of work, of all callers. */
  readonly all: number
  /** Most waiting pieces of work of one caller. */
  readonly caller: number
}

/** Whose work it is, and what gives it up while it waits. */
export interface Owner {
  readonly caller: string
  /** The address of the caller; see holderOf in address.ts. If it is known, turns are shared out by address. */
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
  readonly caller: string
  start(): void
  turnAway(): void
}

/**
 * Runs one piece of work at a time. Addresses take turns, however much work each of them has waiting, because anybody
 * can make up callers. If too much is waiting, a holder with the most loses its last piece. Work of a caller who has
 * gone is dropped before it begins.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  /** Waiting work by holder; the holder whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  #size = 0
  #running = false
  /** The holder whose work is running, or ran last. */
  #served = ''

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  /** The number of waiting pieces of work. */
  get size(): number {
    return this.#size
  }

  /**
   * Runs `work` when it has its turn, and returns its result.
   * @throws QueueError when the queue is full, or fills up while this holder has the most, or when the signal aborts
   * before the turn; and what `work` throws
   */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    if (this.#running) await this.#turn(owner)
    this.#running = true
    this.#served = turnHolderOf(owner)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn(owner: Owner): Promise<void> {
    const { caller, signal } = owner
    const holder = turnHolderOf(owner)
    const own = this.#waiting.get(holder) ?? new Set<Waiter>()
    const ofCaller = [...own].filter(waiter => waiter.caller === caller).length
    if (ofCaller >= this.#limits.caller || (this.#size >= this.#limits.all && !this.#makeRoom(own.size)))
      return Promise.reject(new QueueError('full'))
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#drop(holder, waiter)
        forget()
      }
      const fail = (why: QueueError['why']) => {
        end()
        reject(new QueueError(why))
      }
      const waiter: Waiter = {
        caller,
        start: () => {
          end()
          resolve()
        },
        turnAway: () => fail('full')
      }
      if (signal?.aborted) return reject(new QueueError('cancelled'))
      const forget = onAbort(signal, () => fail('cancelled'))
      this.#waiting.set(holder, own.add(waiter))
      this.#size++
    })
  }

  /** Rejects the last work of the holder with the most. @param size what the holder who wants to add one has already */
  #makeRoom(size: number): boolean {
    let most: readonly Waiter[] = []
    for (const waiters of this.#waiting.values()) if (waiters.size > most.length) most = [...waiters]
    if (most.length <= size + 1) return false
    most.at(-1)!.turnAway()
    return true
  }

  #drop(holder: string, waiter: Waiter): void {
    const own = this.#waiting.get(holder)
    if (own?.delete(waiter)) this.#size--
    if (own?.size === 0) this.#waiting.delete(holder)
  }

  /** Starts the next work; `#running` stays set in between, so that no other can start. */
  #next(): void {
    const [first, second] = this.#waiting
    // The holder just served may be first again, if nobody else waited then.
    const turn = first?.[0] === this.#served ? (second ?? first) : first
    if (turn === undefined) {
      this.#running = false
      return
    }
    const [holder, own] = turn
    const [waiter] = own
    // The holder goes to the end of the line with its remaining work.
    this.#waiting.delete(holder)
    this.#waiting.set(holder, own)
    waiter!.start()
  }
}

/** The holder that a caller counts for: the address, as anybody can make up callers, or without one the caller. */
export const turnHolderOf = ({ caller, from }: Pick<Owner, 'caller' | 'from'>): string => from ?? caller
