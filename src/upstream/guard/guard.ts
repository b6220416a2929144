import type { CancelSignal } from '../../base/cancellation.ts'
import { siteOf, turnHolderOf } from '../../base/holders.ts'
import type { FairTurns } from '../../fairness/fair-turns.ts'
import { Vouched } from '../../fairness/vouched.ts'
import { isSuccess, retryAfterSeconds, TOO_MANY_REQUESTS } from '../answers/answer.ts'
import { ForgeError, Intercepted, isUnreachable, leftAlone } from '../errors.ts'
import { Breaker } from './breaker.ts'
import { busyShare, Gate, type GateLimits, type Stage } from './gate.ts'
import type { GuardOptions } from './guard-options.ts'
import type { Asked, GuardedCall, Queued, Replied } from './guarded-call.ts'
import { pause } from './pause.ts'
import { RefusingSpells } from './refusing.ts'
import { type AttemptOutcome, RetryBudget, retryWait } from './retry.ts'
import { isAnswer, Silence } from './silence.ts'
import { kindOf, orUnanswered, type Trouble } from './trouble.ts'
import { AmongAddresses, StrangersGate, Turns } from './turns.ts'

/**
 * All that protects one forge and its callers from each other: turns (gate.ts, turns.ts), retries (retry.ts) and the
 * circuit breaker (breaker.ts). A call that is answered at once costs no timer.
 */
export class Guard {
  readonly now: () => number
  readonly #circuit: Breaker
  readonly #options: GuardOptions
  readonly #turns: Stage
  readonly #strangers: readonly StrangersGate[]
  readonly #resumed: FairTurns
  readonly #vouched: Vouched
  readonly #knows: (caller: string) => boolean
  readonly #refusing: RefusingSpells
  readonly #silence: Silence
  readonly #budget = new RetryBudget()
  readonly #dateNow: () => number
  readonly #random: () => number
  readonly #sleep: (ms: number, signal?: CancelSignal) => Promise<void>

  constructor(options: GuardOptions) {
    this.#options = options
    this.now = options.now ?? (() => performance.now())
    this.#dateNow = options.dateNow ?? Date.now
    this.#random = options.random ?? Math.random
    this.#sleep = options.sleep ?? pause
    this.#vouched = new Vouched(this.now)
    this.#knows = options.knows ?? (caller => this.#vouched.has(caller))
    this.#resumed = options.resumed
    const { limits, addresses, byAddress = false, strangers } = options
    const gate = new Gate(limits, busyShare('to this forge'))
    this.#strangers = strangers === undefined ? [] : this.#strangersGates(strangers)
    this.#turns = [
      options.callers,
      ...(addresses === undefined ? [] : [addresses]),
      ...this.#strangers,
      byAddress ? new AmongAddresses(gate) : gate
    ].reduceRight((rest, stage) => new Turns(stage, rest))
    this.#circuit = new Breaker(this.now, open => options.onCircuit?.(open))
    this.#silence = new Silence(this.now, options.standstill, options.anyTells)
    this.#refusing = new RefusingSpells(this.now, refusing => options.onRefusing?.(refusing))
  }

  /** For how long the forge has answered nobody, in milliseconds (silence.ts). */
  get silentMs(): number {
    return this.#silence.ms
  }

  #strangersGates(limits: GateLimits): readonly StrangersGate[] {
    const refusal = busyShare('of callers whom this forge has not answered lately')
    const knows = this.#knows
    // By address first, because one address can make up any number of tokens.
    const addresses = new StrangersGate(new Gate(limits, refusal), knows, (caller, from) =>
      turnHolderOf({ caller, from })
    )
    return [addresses, new StrangersGate(new Gate(limits, refusal), knows)]
  }

  /** Whether the forge has served anybody lately. */
  get hasServed(): boolean {
    return !this.#vouched.isEmpty
  }

  /**
   * Takes a turn of the caller and of the forge; `leave` must be called afterwards. Calls that had to wait continue in
   * turns of the event loop, shared by address: if a forge is found to be down, a thousand waiting calls learn it at
   * once.
   * @param queued gets the time that a wait takes, however it ends
   * @returns undefined if both are free, otherwise a promise that resolves when they are
   * @throws ForgeError busy or cancelled
   */
  enter(caller: string, signal?: CancelSignal, from?: string, queued?: Queued): Promise<void> | undefined {
    const turn = this.#turns.enter(caller, signal, from)
    if (turn === undefined) return undefined
    const began = this.now()
    return turn
      .catch(error => this.#refused(error))
      .finally(() => {
        if (queued !== undefined) queued.queuedMs += this.now() - began
        return this.#resumed.next(turnHolderOf({ caller, from }))
      })
  }

  leave(caller: string, from?: string): void {
    this.#turns.leave(caller, from)
  }

  /** Reports a failure: an answer that is unusable, or that did not come. */
  trouble(error: ForgeError, at: string | undefined): void {
    this.#options.onTrouble?.(error, { at })
  }

  /** Reports an answer that has been read: to its end or, if it is read as it arrives, as far as its reader wants. */
  hear(reply: Replied): void {
    if (isAnswer(reply)) this.#silence.answered()
  }

  /**
   * Reports that an answer has not been read, or not to its end.
   * @param started when it was asked for, on the guard's clock
   */
  missed(error: ForgeError, asked: Asked, started: number): void {
    this.#miss(asked, started, error)
    this.#options.onTrouble?.(error, { at: asked.at, stoodStill: this.#stoodStill(started) })
  }

  /** Whether this process stood still since then: what failed meanwhile may have failed for that alone. */
  #stoodStill(started: number): boolean {
    return (this.#options.standstill?.endedAt ?? started) > started
  }

  #refused(error: unknown): never {
    if (error instanceof ForgeError && error.fault === 'busy') this.#options.onRefused?.('busy')
    throw error
  }

  /**
   * Makes an exchange in a turn of its own, and retries it where that is allowed.
   * @param attempt makes it once, within the given milliseconds
   * @param discard ends a reply that is going to be retried; passed for answers that are read as they arrive, whose
   * turn is already held
   */
  async call<T extends Replied>(
    call: GuardedCall,
    attempt: (deadlineMs: number) => Promise<T>,
    discard?: (reply: T) => void
  ): Promise<T> {
    for (let attempts = 0; ; attempts++) {
      const turn =
        discard === undefined ? this.enter(call.caller, call.signal, call.from, call.queued) : undefined
      if (turn !== undefined) await turn
      const started = this.now()
      let outcome: AttemptOutcome & { reply?: T }
      try {
        this.#start(this.#failsAs(call), attempts)
        outcome = this.#answered(call, await attempt(Math.max(1, call.end - started)), started, !discard)
      } catch (error) {
        outcome = this.#failed(call, error, started)
        // A forge can close all of its connections at once, and the failed calls must not all go on in the same moment.
        await this.#resumed.next(turnHolderOf(call))
      } finally {
        if (discard === undefined) this.leave(call.caller, call.from)
      }
      const wait = this.#waitAfter(call, attempts, outcome)
      if (wait === undefined) return replyOf(outcome)
      if (outcome.reply !== undefined) discard?.(outcome.reply)
      await this.#sleep(wait, call.signal)
    }
  }

  /**
   * The name under which a call counts for the breaker, the budget of retries and the silence. Callers who are not
   * proven count by address, because anybody can make up callers, and addresses count by their network.
   */
  #failsAs({ caller, from = caller }: Asked): string {
    return this.#knows(caller) ? caller : siteOf(from)
  }

  /** @throws ForgeError down, while the breaker is open */
  #start(caller: string, attempts: number): void {
    const ms = this.#circuit.refuses(caller)
    if (ms > 0) throw leftAlone(ms)
    if (attempts === 0) this.#budget.earn(caller)
  }

  #answered<T extends Replied>(
    call: GuardedCall,
    reply: T,
    started: number,
    isWhole: boolean
  ): AttemptOutcome & { reply: T } {
    const { caller, proves } = call
    this.#circuit.record(this.#failsAs(call), reply.status < 500)
    if (reply.status >= 500) this.#miss(call, started, reply.status)
    // An answer that is read as it arrives has not been read yet, unless it is a refusal.
    else if (isWhole || !isSuccess(reply.status)) this.hear(reply)
    this.#refusing.record(reply.status)
    this.#heed(caller, reply)
    // Only a success proves the token: GitLab also answers 401 to a valid one that may not merge or approve.
    if (proves && isSuccess(reply.status)) this.#vouch(caller)
    const trouble = kindOf(reply.status)
    this.#options.onExchange?.(trouble ?? reply.status, (this.now() - started) / 1000)
    if (trouble !== undefined) {
      const retryAfter = retryAfterSeconds(reply.headers['retry-after'], this.#dateNow())
      const requestId = reply.headers['x-request-id']
      this.#options.onTrouble?.(reply.status, { says: reply.says, retryAfter, requestId, at: call.at })
    }
    return { status: reply.status, headers: reply.headers, reply }
  }

  #miss(call: Asked, started: number, trouble: Trouble): void {
    this.#silence.failed({ caller: this.#failsAs(call), at: call.at }, started, trouble)
  }

  #vouch(caller: string): void {
    if (!this.#vouched.add(caller) || !this.#knows(caller)) return
    for (const gate of this.#strangers) gate.known(caller)
  }

  #heed(caller: string, { status, headers }: Replied): void {
    const nothingLeft = headers['ratelimit-remaining'] === '0'
    const tooMuch = status === TOO_MANY_REQUESTS || nothingLeft
    const seconds = tooMuch ? retryAfterSeconds(headers['retry-after'], this.#dateNow()) : undefined
    this.#options.callers.heed(caller, tooMuch, seconds, this.now())
  }

  #failed(call: GuardedCall, thrown: unknown, started: number): AttemptOutcome {
    const caller = this.#failsAs(call)
    const error = orUnanswered(thrown)
    const fault = error instanceof ForgeError ? error.fault : 'fault'
    if (fault === 'down') this.#options.onRefused?.('down')
    else {
      // A caller who leaves whenever the forge is slow, or on purpose, must not open the breaker: `unanswered` is not
      // counted. Nor is what a standstill may have made fail.
      if (isUnreachable(fault) || fault === 'timeout') {
        if (!this.#stoodStill(started)) this.#circuit.record(caller, false)
      }
      // A caller may provoke such a page by what it requests, which must not open the breaker.
      else if (error instanceof Intercepted) this.#circuit.record(caller, true)
      this.#options.onExchange?.(fault, (this.now() - started) / 1000)
      if (error instanceof ForgeError) this.missed(error, call, started)
    }
    return { error }
  }

  #waitAfter(call: GuardedCall, attempts: number, outcome: AttemptOutcome): number | undefined {
    const { reads, end, signal, onRetry } = call
    if (!reads || signal?.aborted) return undefined
    const wait = retryWait(attempts, outcome, this.#dateNow, this.#random)
    if (wait === undefined || this.now() + wait >= end) return undefined
    if (!this.#budget.spend(this.#failsAs(call))) return undefined
    const reason = outcome.status ?? 'transport'
    this.#options.onRetry?.(reason)
    onRetry?.(reason, wait)
    return wait
  }
}

function replyOf<T>({ reply, error }: AttemptOutcome & { reply?: T }): T {
  if (reply === undefined) throw error
  return reply
}
