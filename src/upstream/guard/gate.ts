import { type CancelSignal, onAbort } from '../../base/cancellation.ts'
import { siteOf } from '../../base/holders.ts'
import { WaitingLines } from '../../fairness/waiting-lines.ts'
import { cancelled, ForgeError } from '../errors.ts'

export interface GateLimits {
  /** Most calls at once. */
  readonly limit: number
  /** Most calls that wait for their turn. */
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

/** A call that waits. It leaves the queue before it is let in. */
interface WaitingCall {
  admit(): void
  turnAway(): void
}

/** Makes the error for a refused call. @param limit how many may currently run at once */
export type MakeRefusal = (limit: number) => Error

/**
 * The time between the ends of turns is averaged over at least this many, and over at least as many as there are turns,
 * because all of them can end at once.
 */
const MIN_ENDS = 10

/**
 * Limits how many calls run at once. Calls beyond the limit wait for a short time. A free turn goes to the waiting
 * caller with the fewest turns; among equals, to the one whose last turn is longest ago. Within a caller, parts are
 * chosen in the same way. So many calls of one caller hardly delay those of others. Neither do those of many callers in
 * one network, because these wait in one line.
 *
 * If the queue is full, a call is refused at once, unless another line or caller has more calls in the queue: then the
 * last one there is refused instead. A call that would wait too long, judged by recent turns, is refused at once, too.
 * A call that finds room costs no promise.
 */
export class Gate implements Stage {
  readonly #limits: GateLimits
  readonly #refusal: MakeRefusal
  /** Turns under way, by caller and by line. The counts are changed in place, because each call changes them twice. */
  readonly #held = new Map<string, { turns: number }>()
  readonly #waiting = new WaitingLines<WaitingCall>()
  readonly #now: () => number
  #limit: number
  #running = 0
  /** When the last turn ended while others waited; 0 if nobody did. */
  #endedAt = 0
  /** Recent average of the milliseconds between two such ends. */
  #interval = 0

  /**
   * @param refusal makes the error for calls that are refused
   * @param now clock of durations in milliseconds
   */
  constructor(limits: GateLimits, refusal: MakeRefusal, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#limit = limits.limit
    this.#refusal = refusal
    this.#now = now
  }

  /** Changes how many are let in at once. Turns under way go on. */
  resize(limit: number): void {
    this.#limit = limit
    while (this.#waiting.size > 0 && this.#admitNext());
  }

  get isEmpty(): boolean {
    return this.#running === 0 && this.#waiting.size === 0
  }

  /**
   * @param part takes turns with other parts of the same caller: an address with those of a caller, or a caller with
   * those of an address
   */
  enter(caller: string, signal?: CancelSignal, part = caller): Promise<void> | undefined {
    if (this.#take(caller)) return undefined
    if (this.#expectedWait(caller, part) > this.#limits.waitMs)
      return Promise.reject(this.#refusal(this.#limit))
    if (this.#waiting.size >= this.#limits.queue && !this.#makeRoom(caller, part))
      return Promise.reject(this.#refusal(this.#limit))
    return this.#wait(caller, part, signal)
  }

  /** Expected wait of one more call of a caller, in milliseconds. */
  #expectedWait(caller: string, part: string): number {
    return this.#waiting.turnsBefore(caller, part) * this.#interval
  }

  #measure(): void {
    const now = this.#waiting.size === 0 ? 0 : this.#now()
    if (now === 0) this.#interval = 0
    else if (this.#endedAt !== 0)
      this.#interval += (now - this.#endedAt - this.#interval) / Math.max(MIN_ENDS, this.#limit)
    this.#endedAt = now
  }

  leave(caller: string): void {
    this.#give(caller)
    this.#measure()
    while (this.#waiting.size > 0 && this.#admitNext());
  }

  /**
   * Like `leave`, for a turn that is not over: another turn is taken for the rest of it. So it says nothing about how
   * long turns last.
   */
  lend(caller: string): void {
    this.#give(caller)
    while (this.#waiting.size > 0 && this.#admitNext());
  }

  /** Lets in all waiting calls of a part, although there is no room: each gives its turn back at once (`lend`). */
  letPass(part: string): void {
    if (this.#waiting.size > 0) for (const call of this.#waiting.ofPart(part)) call.admit()
  }

  #give(caller: string): void {
    this.#giveBack(caller)
    const line = siteOf(caller)
    if (line !== caller) this.#giveBack(line)
    this.#running--
  }

  /** Takes a turn. @returns false if there is no room for one more of this caller, or of its line */
  #take(caller: string): boolean {
    const line = siteOf(caller)
    if (!this.#fits(this.#turnsOf(line))) return false
    this.#begin(caller, line)
    return true
  }

  #begin(caller: string, line: string): void {
    this.#running++
    this.#hold(caller)
    if (line !== caller) this.#hold(line)
  }

  #turnsOf(name: string): number {
    return this.#held.get(name)?.turns ?? 0
  }

  #hold(name: string): void {
    const held = this.#held.get(name)
    if (held === undefined) this.#held.set(name, { turns: 1 })
    else held.turns++
  }

  #giveBack(name: string): void {
    const held = this.#held.get(name)
    if (held !== undefined && --held.turns === 0) this.#held.delete(name)
  }

  /** Whether a line may take one more turn. @param turns the turns that it has under way */
  #fits(turns: number): boolean {
    const limit = this.#limit
    const free = limit - this.#running
    return free > 0 && (!this.#limits.shared || turns * limit < free * free)
  }

  #admitNext(): boolean {
    if (this.#running >= this.#limit) return false
    const next = this.#waiting.take(
      name => this.#turnsOf(name),
      turns => this.#fits(turns)
    )
    next?.admit()
    return next !== undefined
  }

  /**
   * Refuses a waiting call of another caller or part, if one has more of them waiting. @returns whether there was one
   */
  #makeRoom(caller: string, part: string): boolean {
    const displaced = this.#waiting.displacedBy(caller, part)
    displaced?.turnAway()
    return displaced !== undefined
  }

  #wait(caller: string, part: string, signal: CancelSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.remove(caller, waiter, part)
        clearTimeout(timer)
        forget()
      }
      const fail = (error: Error): void => {
        end()
        reject(error)
      }
      const waiter: WaitingCall = {
        admit: () => {
          end()
          this.#begin(caller, siteOf(caller))
          resolve()
        },
        turnAway: () => fail(this.#refusal(this.#limit))
      }
      if (signal?.aborted) return reject(cancelled())
      const timer = setTimeout(waiter.turnAway, this.#limits.waitMs)
      const forget = onAbort(signal, () => fail(cancelled()))
      this.#waiting.add(caller, waiter, part)
    })
  }
}

/** @param what is under way: `of this caller`, `to this forge` */
export const busy =
  (what: string): MakeRefusal =>
  limit =>
    notSent(
      `More than ${limit} ${limit === 1 ? 'request' : 'requests'} ${what} ${limit === 1 ? 'is' : 'are'} under way.`
    )

/** For a gate that is shared: there may be free turns, but none for this caller. */
export const busyShare =
  (what: string): MakeRefusal =>
  limit =>
    notSent(
      `At most ${limit} ${limit === 1 ? 'request' : 'requests'} ${what} may be under way at once, and all, or this caller's share of them, are.`
    )

const notSent = (says: string): ForgeError =>
  new ForgeError('busy', `${says} This request was not sent: try again in a few seconds.`)
