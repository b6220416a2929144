import type { CancelSignal } from '../../cancellation.ts'
import type { FairTurns } from '../../edge/fair-turns.ts'
import { Vouched } from '../../edge/vouched.ts'
import { retryAfterSeconds } from '../answers/answer.ts'
import type { ReplyHeaders } from '../answers/flight.ts'
import { ForgeError, Intercepted, isUnreachable } from '../errors.ts'
import { pause } from '../pause.ts'
import { kindOf, type Told, type Trouble } from '../trouble.ts'
import { Breaker } from './breaker.ts'
import type { CallerGates } from './caller-gates.ts'
import { busyShare, Gate, type GateLimits, type Stage } from './gate.ts'
import { type Outcome, RetryBudget, retryWait } from './retry.ts'
import { AmongAddresses, StrangersGate, Turns } from './turns.ts'

/** What a guard reports, for the log and the metrics. */
export interface GuardEvents {
  /** One exchange has ended: a status, or the kind of trouble or failure. Seconds from dispatch. */
  onExchange?(outcome: number | string, seconds: number): void
  /** It came to nothing. @param told by the forge of that, cut and scrubbed */
  onTrouble?(trouble: Trouble, told?: Told): void
  onRetry?(reason: number | string): void
  /** A call was turned away before anything was sent. */
  onRefused?(reason: 'busy' | 'down'): void
  onCircuit?(open: boolean): void
}

export interface GuardOptions extends GuardEvents {
  readonly limits: GateLimits
  /** Narrower ones for all callers together whom the forge has not answered lately; default none. */
  readonly strangers?: GateLimits
  /** Who is none, where somebody else finds that out. */
  readonly knows?: (caller: string) => boolean
  /** Shared by all forges: what one caller has under way, wherever it goes. */
  readonly callers: CallerGates
  /** Shared by callers' forges: what one address of callers has under way at all of them. */
  readonly addresses?: Stage | undefined
  /** Whether addresses share the turns, and not callers; default no. */
  readonly byAddress?: boolean
  /** Shared by all forges: how many calls of an address go on in one turn of the event loop, of those that have waited. */
  readonly resumed: FairTurns
  /** Clock of durations in milliseconds, as of `performance.now`. */
  readonly clock?: () => number
  /** Clock of dates in milliseconds. */
  readonly now?: () => number
  readonly random?: () => number
  readonly sleep?: (ms: number, signal?: CancelSignal) => Promise<void>
}

export type OnRetry = (reason: number | string, waitMs: number) => void

/** One call to a forge, of one or more attempts. */
export interface GuardedCall {
  /** A digest of its token. */
  readonly caller: string
  /** The address it comes from; see holderOf. */
  readonly from?: string | undefined
  /** A success proves the token: not so where the forge takes no notice of one and answers as to anybody. */
  readonly proves: boolean
  /** It changes nothing, so it may be asked again. */
  readonly reads: boolean
  readonly signal: CancelSignal | undefined
  /** On the guard's clock. */
  readonly end: number
  /** Told why it is asked again, a status or `transport`, and in how many milliseconds. */
  readonly onRetry?: OnRetry | undefined
}

interface Replied {
  readonly status: number
  readonly headers: ReplyHeaders
  readonly says?: string
}

/**
 * All that stands between callers and one forge: turns (gate.ts, turns.ts), asking again (retry.ts) and leaving it alone
 * while it is down (breaker.ts). A call that is answered at once costs no timer.
 */
export class Guard {
  readonly clock: () => number
  readonly #options: GuardOptions
  readonly #turns: Stage
  readonly #resumed: FairTurns
  readonly #vouched: Vouched
  readonly #knows: (caller: string) => boolean
  readonly #breaker: Breaker
  readonly #budget = new RetryBudget()
  readonly #now: () => number
  readonly #random: () => number
  readonly #sleep: (ms: number, signal?: CancelSignal) => Promise<void>

  constructor(options: GuardOptions) {
    this.#options = options
    this.clock = options.clock ?? (() => performance.now())
    this.#now = options.now ?? Date.now
    this.#random = options.random ?? Math.random
    this.#sleep = options.sleep ?? pause
    this.#vouched = new Vouched(this.clock)
    this.#knows = options.knows ?? (caller => this.#vouched.has(caller))
    this.#resumed = options.resumed
    const stages = this.#stages(options)
    const { addresses } = options
    this.#turns = new Turns(options.callers, addresses === undefined ? stages : new Turns(addresses, stages))
    this.#breaker = new Breaker(this.clock, open => options.onCircuit?.(open))
  }

  #stages({ limits, strangers, byAddress = false }: GuardOptions): Stage {
    const gate = new Gate(limits, busyShare('to this forge'))
    const all = byAddress ? new AmongAddresses(gate) : gate
    if (strangers === undefined) return all
    const refusal = busyShare('of callers whom this forge has not answered lately')
    const knows = this.#knows
    // By address first: one makes up as many tokens as it likes.
    const addresses = new StrangersGate(new Gate(strangers, refusal), knows, (caller, from) => from ?? caller)
    return new Turns(addresses, new Turns(new StrangersGate(new Gate(strangers, refusal), knows), all))
  }

  /** Whether the forge has served anybody lately. */
  get hasServed(): boolean {
    return !this.#vouched.isEmpty
  }

  get circuitOpen(): boolean {
    return this.#breaker.isOpen
  }

  /**
   * Takes a turn, for the caller and at the forge; whoever got it calls `leave`. Who had to wait for it goes on in a turn
   * of the event loop that is its address's: where a forge is taken to be down, a thousand that wait learn it at once.
   * @returns undefined when both are free, else a promise of them
   * @throws ForgeError busy or cancelled
   */
  enter(caller: string, signal?: CancelSignal, from?: string): Promise<void> | undefined {
    return this.#turns
      .enter(caller, signal, from)
      ?.catch(error => this.#refused(error))
      .finally(() => this.#resumed.next(from ?? caller))
  }

  leave(caller: string, from?: string): void {
    this.#turns.leave(caller, from)
  }

  /** Tells of an answer that was one, and of no use. */
  trouble(error: ForgeError): void {
    this.#options.onTrouble?.(error)
  }

  #refused(error: unknown): never {
    if (error instanceof ForgeError && error.fault === 'busy') this.#options.onRefused?.('busy')
    throw error
  }

  /**
   * Makes an exchange in a turn of its own, and again where that is due.
   * @param attempt makes it once, within the milliseconds it is given
   * @param discard ends a reply that is asked for again; given where the turn is held already, for an answer that is read
   * as it arrives
   */
  async call<T extends Replied>(
    call: GuardedCall,
    attempt: (deadlineMs: number) => Promise<T>,
    discard?: (reply: T) => void
  ): Promise<T> {
    for (let attempts = 0; ; attempts++) {
      const turn = discard === undefined ? this.enter(call.caller, call.signal, call.from) : undefined
      if (turn !== undefined) await turn
      const started = this.clock()
      let outcome: Outcome & { reply?: T }
      try {
        this.#start(this.#failsAs(call), attempts)
        outcome = this.#answered(call, await attempt(Math.max(1, call.end - started)), started)
      } catch (error) {
        outcome = this.#failed(this.#failsAs(call), error, started)
        // A forge can end all of its connections at once.
        await this.#resumed.next(call.from ?? call.caller)
      } finally {
        if (discard === undefined) this.leave(call.caller, call.from)
      }
      const wait = this.#waitAfter(call, attempts, outcome)
      if (wait === undefined) return replyOf(outcome)
      if (outcome.reply !== undefined) discard?.(outcome.reply)
      await this.#sleep(wait, call.signal)
    }
  }

  /** Whom the breaker knows a call by: who makes up callers counts as one of them. */
  #failsAs({ caller, from = caller }: GuardedCall): string {
    return this.#knows(caller) ? caller : from
  }

  /** @throws ForgeError down, while the forge is left alone */
  #start(caller: string, attempts: number): void {
    const ms = this.#breaker.refuses(caller)
    if (ms > 0) throw downFor(ms)
    if (attempts === 0) this.#budget.earn(caller)
  }

  #answered<T extends Replied>(call: GuardedCall, reply: T, started: number): Outcome & { reply: T } {
    const { caller, proves } = call
    this.#breaker.record(this.#failsAs(call), reply.status < 500)
    this.#heed(caller, reply)
    // Nothing else tells of the token: GitLab says 401 to a good one too, where it may not merge or approve.
    if (proves && reply.status >= 200 && reply.status <= 299) this.#vouched.add(caller)
    const trouble = kindOf(reply.status)
    this.#options.onExchange?.(trouble ?? reply.status, (this.clock() - started) / 1000)
    if (trouble !== undefined) {
      const retryAfter = retryAfterSeconds(reply.headers['retry-after'], this.#now())
      this.#options.onTrouble?.(reply.status, { says: reply.says, retryAfter })
    }
    return { status: reply.status, headers: reply.headers, reply }
  }

  #heed(caller: string, { status, headers }: Replied): void {
    const nothingLeft = headers['ratelimit-remaining'] === '0'
    const tooMuch = status === 429 || nothingLeft
    const seconds = tooMuch ? retryAfterSeconds(headers['retry-after'], this.#now()) : undefined
    this.#options.callers.heed(caller, tooMuch, seconds, this.clock())
  }

  #failed(caller: string, error: unknown, started: number): Outcome {
    const fault = error instanceof ForgeError ? error.fault : 'fault'
    if (fault === 'down') this.#options.onRefused?.('down')
    else {
      if (isUnreachable(fault) || fault === 'timeout') this.#breaker.record(caller, false)
      // By what it asks for a caller may have a page, which is to leave nobody alone.
      else if (error instanceof Intercepted) this.#breaker.record(caller, true)
      this.#options.onExchange?.(fault, (this.clock() - started) / 1000)
      if (error instanceof ForgeError) this.#options.onTrouble?.(error)
    }
    return { error }
  }

  #waitAfter(call: GuardedCall, attempts: number, outcome: Outcome): number | undefined {
    const { reads, end, signal, onRetry } = call
    if (!reads || signal?.aborted) return undefined
    const wait = retryWait(attempts, outcome, this.#now, this.#random)
    if (wait === undefined || this.clock() + wait >= end) return undefined
    if (!this.#budget.spend(this.#failsAs(call))) return undefined
    const reason = outcome.status ?? 'transport'
    this.#options.onRetry?.(reason)
    onRetry?.(reason, wait)
    return wait
  }
}

function replyOf<T>({ reply, error }: Outcome & { reply?: T }): T {
  if (reply === undefined) throw error
  return reply
}

const downFor = (ms: number): ForgeError =>
  new ForgeError(
    'down',
    `The forge has not answered lately and is left alone for a moment. This request was not sent: try again in ${Math.ceil(ms / 1000)} s.`
  )
