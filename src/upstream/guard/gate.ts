import { type CancelSignal, onAbort } from '../../cancellation.ts'
import { cancelled, ForgeError } from '../errors.ts'

export interface GateLimits {
  /** Calls at once. */
  readonly limit: number
  /** Calls that wait for their turn. */
  readonly queue: number
  /** Longest wait, in milliseconds. */
  readonly waitMs: number
  /**
   * What a caller may hold shrinks with the square of what is free; default no. So one caller alone is not held
   * back much, while n callers whose turns do not end leave about 1/(n+1) of all turns free, in whatever order
   * they came, for those who hold none.
   */
  readonly shared?: boolean
}

/** Something that calls have to be let into: a gate, or several one after another. */
export interface Stage {
  /**
   * @param from where the caller is, where that is known
   * @returns undefined when there is room, else a promise of it. Whoever got in calls `leave`.
   * @throws the error of who is turned away, or ForgeError cancelled, as a rejection
   */
  enter(caller: string, signal?: CancelSignal, from?: string): Promise<void> | undefined
  leave(caller: string, from?: string): void
}

/** Makes the error of who is turned away. @param limit how much may run at once by now */
export type Refusal = (limit: number) => Error

interface Waiter {
  admit(): void
  turnAway(): void
}

/** The time between ends is averaged over so many at least, and over as many as there are turns: these can end at once. */
const FEWEST_ENDS = 10

/**
 * Bounds what runs at once. Whoever does not fit waits for a short time; a turn that is free goes to the caller
 * with the fewest, of several such to the one whose turn is longest ago, so that many calls of one caller delay
 * those of others by little. Who finds the queue full is turned away at once, unless another has more calls in
 * it: then that one's last goes. Whose wait would exceed its limit by recent experience is turned
 * away at once, too. A call that finds room costs no promise.
 */
export class Gate implements Stage {
  readonly #limits: GateLimits
  readonly #refusal: Refusal
  /** Turns under way, by caller: counts that change in place, as each call changes them twice. */
  readonly #held = new Map<string, { turns: number }>()
  /** By caller, in order of their last turn; of a caller in order of arrival. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  readonly #clock: () => number
  #limit: number
  #running = 0
  #queued = 0
  /** When the last turn ended that others waited for; 0 when nobody did. */
  #endedAt = 0
  /** Milliseconds between two such ends, of late. */
  #interval = 0

  /**
   * @param refusal makes the error of those who are turned away
   * @param clock of durations in milliseconds
   */
  constructor(limits: GateLimits, refusal: Refusal, clock: () => number = () => performance.now()) {
    this.#limits = limits
    this.#limit = limits.limit
    this.#refusal = refusal
    this.#clock = clock
  }

  /** From now on so many are let in at once. Turns under way go on. */
  resize(limit: number): void {
    this.#limit = limit
    while (this.#queued > 0 && this.#admitNext());
  }

  get isEmpty(): boolean {
    return this.#running === 0 && this.#queued === 0
  }

  enter(caller: string, signal?: CancelSignal): Promise<void> | undefined {
    if (this.#take(caller)) return undefined
    if (this.#expectedWait(caller) > this.#limits.waitMs) return Promise.reject(this.#refusal(this.#limit))
    if (this.#queued >= this.#limits.queue && !this.#makeRoom(caller))
      return Promise.reject(this.#refusal(this.#limit))
    return this.#wait(caller, signal)
  }

  /** Milliseconds: those who wait take turns, so that a caller's first waits for one of each other caller's. */
  #expectedWait(caller: string): number {
    const own = this.#waiting.get(caller)?.size ?? 0
    const callers = this.#waiting.size + (own === 0 ? 1 : 0)
    return (own + 1) * callers * this.#interval
  }

  #measure(): void {
    const now = this.#queued === 0 ? 0 : this.#clock()
    if (now === 0) this.#interval = 0
    else if (this.#endedAt !== 0)
      this.#interval += (now - this.#endedAt - this.#interval) / Math.max(FEWEST_ENDS, this.#limit)
    this.#endedAt = now
  }

  leave(caller: string): void {
    const held = this.#held.get(caller)
    if (held !== undefined && --held.turns === 0) this.#held.delete(caller)
    this.#running--
    this.#measure()
    while (this.#queued > 0 && this.#admitNext());
  }

  /** @returns false when there is no room for one more of this caller */
  #take(caller: string): boolean {
    const held = this.#held.get(caller)
    if (!this.#fits(held?.turns ?? 0)) return false
    this.#running++
    if (held === undefined) this.#held.set(caller, { turns: 1 })
    else held.turns++
    return true
  }

  /** @param turns that a caller has under way */
  #fits(turns: number): boolean {
    const limit = this.#limit
    const free = limit - this.#running
    return this.#limits.shared ? turns * limit < free * free : free > 0
  }

  #admitNext(): boolean {
    let fewest = Number.POSITIVE_INFINITY
    let next: Iterable<Waiter> = []
    for (const [caller, waiters] of this.#waiting) {
      const held = this.#held.get(caller)?.turns ?? 0
      if (held >= fewest) continue
      fewest = held
      next = waiters
      if (held === 0) break
    }
    if (!this.#fits(fewest)) return false
    const [waiter] = next
    waiter?.admit()
    return waiter !== undefined
  }

  /** Turns away the last call of the caller that waits with the most, if those are more than this one's would be. */
  #makeRoom(caller: string): boolean {
    let most = (this.#waiting.get(caller)?.size ?? 0) + 1
    let longest: Iterable<Waiter> = []
    for (const waiters of this.#waiting.values()) {
      if (waiters.size <= most) continue
      most = waiters.size
      longest = waiters
    }
    const last = [...longest].at(-1)
    last?.turnAway()
    return last !== undefined
  }

  #wait(caller: string, signal: CancelSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#dequeue(caller, waiter)
        clearTimeout(timer)
        forget()
      }
      const fail = (error: Error): void => {
        end()
        reject(error)
      }
      const waiter: Waiter = {
        admit: () => {
          end()
          this.#take(caller)
          resolve()
        },
        turnAway: () => fail(this.#refusal(this.#limit))
      }
      if (signal?.aborted) return reject(cancelled())
      const timer = setTimeout(waiter.turnAway, this.#limits.waitMs)
      const forget = onAbort(signal, () => fail(cancelled()))
      this.#enqueue(caller, waiter)
    })
  }

  #enqueue(caller: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(caller)
    if (waiters === undefined) this.#waiting.set(caller, new Set([waiter]))
    else waiters.add(waiter)
    this.#queued++
  }

  /** Takes out one that waits; the caller's others go behind those of other callers. */
  #dequeue(caller: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(caller)
    if (!waiters?.delete(waiter)) return
    this.#queued--
    this.#waiting.delete(caller)
    if (waiters.size > 0) this.#waiting.set(caller, waiters)
  }
}

/** @param what is under way: `of this caller`, `to this forge` */
export const busy =
  (what: string): Refusal =>
  limit =>
    notSent(
      `More than ${limit} ${limit === 1 ? 'request' : 'requests'} ${what} ${limit === 1 ? 'is' : 'are'} under way.`
    )

/** Of a gate that is shared: there may be turns, and none for this caller. */
export const busyShare =
  (what: string): Refusal =>
  limit =>
    notSent(`Of ${limit} requests ${what} at once all, or this caller's share of them, are under way.`)

const notSent = (says: string): ForgeError =>
  new ForgeError('busy', `${says} This request was not sent: try again in a few seconds.`)
