import { type CancelSignal, onAbort } from '../cancellation.ts'

export interface FairQueueLimits {
  /** Most that wait, of all callers. */
  readonly all: number
  /** Most that wait, of one caller. */
  readonly caller: number
}

/** Whose work it is, and what gives it up while it waits. */
export interface Owner {
  readonly caller: string
  /** The address that the caller is at; see holderOf in address.ts. Where it is known, turns are divided by it. */
  readonly from?: string | undefined
  readonly signal: CancelSignal | undefined
}

/** Work that did not get its turn. */
export class QueueError extends Error {
  /** `elsewhere`: by its turn it had its place in another queue. */
  readonly why: 'full' | 'cancelled' | 'elsewhere'
  constructor(why: QueueError['why']) {
    super(why === 'full' ? 'too much is waiting' : why === 'cancelled' ? 'the caller has gone' : why)
    this.name = 'QueueError'
    this.why = why
  }
}

/** Work that waits. */
interface Waiter {
  readonly caller: string
  start(): void
  turnAway(): void
}

/**
 * Runs one piece of work at a time. Addresses take turns, however much each of them has waiting: anybody makes up
 * callers. Where too much waits, one with the most loses its last; work of a caller who has gone is dropped before it
 * begins.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  /** What waits, by holder, the one whose turn is next first. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  #size = 0
  #running = false
  /** Whose work runs or ran last. */
  #served = ''

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  /** How much waits. */
  get size(): number {
    return this.#size
  }

  /**
   * @throws QueueError when the queue is full, or becomes it by others while this holder has the most, or when the
   * signal aborts before the turn, and what `work` throws
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

  /** Turns away the last of whoever waits with the most. @param size what one has who wants one more */
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

  /** Hands the turn on; `#running` stays set in between, so that nobody slips in. */
  #next(): void {
    const [first, second] = this.#waiting
    // Who was just served may lead the line again, if nobody else waited then.
    const turn = first?.[0] === this.#served ? (second ?? first) : first
    if (turn === undefined) {
      this.#running = false
      return
    }
    const [holder, own] = turn
    const [waiter] = own
    // To the end of the line, with what is left.
    this.#waiting.delete(holder)
    this.#waiting.set(holder, own)
    waiter!.start()
  }
}

/** Whose the turns are. */
export const turnHolderOf = ({ caller, from }: Owner): string => from ?? caller
