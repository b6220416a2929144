import { type CancelSignal, onAbort } from '../../base/cancellation.ts'
import { cancelled, ForgeError } from '../errors.ts'

export interface GateLimits {
  /** Calls at once. */
  readonly limit: number
  /** Calls that wait for their turn. */
  readonly queue: number
  /** Longest wait, in milliseconds. */
  readonly waitMs: number
  /**
   * Whether a caller's limit shrinks with the square of the free turns; default no. A single caller is not held back
   * much by it, while n callers whose turns do not end leave about 1/(n+1) of all turns free for those who hold none,
   * in whatever order they came.
   */
  readonly shared?: boolean
}

/** Something that calls must pass: a gate, or several in a row. */
export interface Stage {
  /**
   * @param from the address of the caller, if known
   * @returns undefined if there is room, otherwise a promise that resolves when there is. `leave` must be called
   * afterwards.
   * @throws the error for calls that are refused, or ForgeError cancelled, as a rejection
   */
  enter(caller: string, signal?: CancelSignal, from?: string): Promise<void> | undefined
  leave(caller: string, from?: string): void
}

/** Makes the error for a refused call. @param limit how many may currently run at once */
export type Refusal = (limit: number) => Error

interface Waiter {
  admit(): void
  turnAway(): void
}

/**
 * The time between the ends of turns is averaged over at least this many, and over at least as many as there are turns,
 * because all of them can end at once.
 */
const FEWEST_ENDS = 10

/**
 * Limits how many calls run at once. Calls beyond the limit wait for a short time. A free turn goes to the waiting
 * caller with the fewest turns; among equals, to the one whose last turn is longest ago. So many calls of one caller
 * hardly delay those of others. If the queue is full, a call is refused at once, unless another caller has more calls
 * in the queue: then that caller's last call is refused instead. A call that would wait too long, judged by recent
 * turns, is refused at once, too. A call that finds room costs no promise.
 */
export class Gate implements Stage {
  readonly #limits: GateLimits
  readonly #refusal: Refusal
  /** Turns under way, by caller. The counts are changed in place, because each call changes them twice. */
  readonly #held = new Map<string, { turns: number }>()
  /** Waiting calls by caller, callers in order of their last turn, each caller's calls in order of arrival. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  readonly #clock: () => number
  #limit: number
  #running = 0
  #queued = 0
  /** When the last turn ended while others waited; 0 if nobody did. */
  #endedAt = 0
  /** Recent average of the milliseconds between two such ends. */
  #interval = 0

  /**
   * @param refusal makes the error for calls that are refused
   * @param clock clock of durations in milliseconds
   */
  constructor(limits: GateLimits, refusal: Refusal, clock: () => number = () => performance.now()) {
    this.#limits = limits
    this.#limit = limits.limit
    this.#refusal = refusal
    this.#clock = clock
  }

  /** Changes how many are let in at once. Turns under way go on. */
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

  /**
   * Expected wait of a call in milliseconds: callers take turns, so a caller's first call waits for one of each other
   * caller.
   */
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
    this.#give(caller)
    this.#measure()
    while (this.#queued > 0 && this.#admitNext());
  }

  /** Like `leave`, where the turn is not over, and tells nothing of how long turns last: another is taken for the rest. */
  lend(caller: string): void {
    this.#give(caller)
    while (this.#queued > 0 && this.#admitNext());
  }

  #give(caller: string): void {
    const held = this.#held.get(caller)
    if (held !== undefined && --held.turns === 0) this.#held.delete(caller)
    this.#running--
  }

  /** Takes a turn. @returns false if there is no room for one more of this caller */
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
    return free > 0 && (!this.#limits.shared || turns * limit < free * free)
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

  /**
   * Refuses the last waiting call of the caller with the most waiting calls, if these are more than this caller's would
   * be.
   */
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

  /** Removes a waiting call; the caller's other calls move behind those of other callers. */
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
    notSent(
      `At most ${limit} ${limit === 1 ? 'request' : 'requests'} ${what} may be under way at once, and all, or this caller's share of them, are.`
    )

const notSent = (says: string): ForgeError =>
  new ForgeError('busy', `${says} This request was not sent: try again in a few seconds.`)
