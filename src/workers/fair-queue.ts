import type { CancelSignal } from '../cancellation.ts'

export interface FairQueueLimits {
  /** Most that wait, of all callers. */
  readonly all: number
  /** Most that wait, of one caller: so that none can take all the room. */
  readonly caller: number
}

/** Whose work it is, and what gives it up while it waits. */
export interface Owner {
  readonly caller: string
  readonly signal: CancelSignal | undefined
}

type Start = () => void

/** Work that did not get its turn. */
export class QueueError extends Error {
  readonly why: 'full' | 'cancelled'
  constructor(why: QueueError['why']) {
    super(why === 'full' ? 'too much is waiting' : 'the caller has gone')
    this.name = 'QueueError'
    this.why = why
  }
}

/**
 * Runs one piece of work at a time. Callers take turns, however much each of them has waiting; work of a caller
 * who has gone is dropped before it begins.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  /** What waits, by caller, the caller whose turn is next first. */
  readonly #waiting = new Map<string, Set<Start>>()
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

  /** @throws QueueError when the queue is full or the signal aborts before the turn, and what `work` throws */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    if (this.#running) await this.#turn(owner)
    this.#running = true
    this.#served = owner.caller
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn({ caller, signal }: Owner): Promise<void> {
    const own = this.#waiting.get(caller) ?? new Set<Start>()
    if (this.#size >= this.#limits.all || own.size >= this.#limits.caller)
      return Promise.reject(new QueueError('full'))
    return new Promise((resolve, reject) => {
      const cancelled = () => reject(new QueueError('cancelled'))
      if (signal?.aborted) return cancelled()
      const cancel = () => {
        this.#drop(caller, start)
        cancelled()
      }
      const start = () => {
        signal?.removeEventListener('abort', cancel)
        resolve()
      }
      signal?.addEventListener('abort', cancel, { once: true })
      this.#waiting.set(caller, own.add(start))
      this.#size++
    })
  }

  #drop(caller: string, start: Start): void {
    const own = this.#waiting.get(caller)
    if (own?.delete(start)) this.#size--
    if (own?.size === 0) this.#waiting.delete(caller)
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
    const [caller, own] = turn
    const [start] = own
    // To the end of the line, with what is left.
    this.#waiting.delete(caller)
    this.#waiting.set(caller, own)
    this.#drop(caller, start!)
    start!()
  }
}
