import type { CancelSignal } from '../../base/cancellation.ts'
import { tally } from '../../collections/tally.ts'
import type { CallerGates } from './caller-gates.ts'
import type { Gate, Stage } from './gate.ts'

/** Takes a turn of one stage, and then one of another. */
export class Turns implements Stage {
  readonly #first: Stage
  readonly #second: Stage

  constructor(first: Stage, second: Stage) {
    this.#first = first
    this.#second = second
  }

  enter(caller: string, signal?: CancelSignal, from?: string): Promise<void> | undefined {
    const turn = this.#first.enter(caller, signal, from)
    if (turn !== undefined) return turn.then(() => this.#enterSecond(caller, signal, from))
    return this.#enterSecond(caller, signal, from)
  }

  leave(caller: string, from?: string): void {
    this.#second.leave(caller, from)
    this.#first.leave(caller, from)
  }

  #enterSecond(caller: string, signal?: CancelSignal, from?: string): Promise<void> | undefined {
    return this.#second.enter(caller, signal, from)?.catch(error => {
      this.#first.leave(caller, from)
      throw error
    })
  }
}

/**
 * A gate only for callers of whom nothing is known. Anybody can make up tokens and call with each of them. Because this
 * gate is narrower than what follows, all of these together leave room for callers who have proven their tokens.
 */
export class StrangersGate implements Stage {
  readonly #gate: Gate
  readonly #knows: (caller: string) => boolean
  readonly #holderOf: (caller: string, from?: string) => string
  /** How many turns callers have taken, by caller and holder. */
  readonly #taken = new Map<string, Map<string, number>>()

  /** @param holderOf gives the holder by which the gate tells callers apart; default: the caller */
  constructor(
    gate: Gate,
    knows: (caller: string) => boolean,
    holderOf: (caller: string, from?: string) => string = caller => caller
  ) {
    this.#gate = gate
    this.#knows = knows
    this.#holderOf = holderOf
  }

  enter(caller: string, signal?: CancelSignal, from?: string): Promise<void> | undefined {
    if (this.#knows(caller)) return undefined
    const holder = this.#holderOf(caller, from)
    const turn = this.#gate.enter(holder, signal, caller)
    if (turn === undefined) {
      this.#count(caller, holder)
      return undefined
    }
    return turn.then(() => {
      if (this.#knows(caller)) this.#gate.lend(holder)
      else this.#count(caller, holder)
    })
  }

  leave(caller: string, from?: string): void {
    const taken = this.#taken.get(caller)
    const holder = this.#holderOf(caller, from)
    if (!taken?.has(holder)) return
    tally(taken, holder, -1)
    if (taken.size === 0) this.#taken.delete(caller)
    this.#gate.leave(holder)
  }

  /**
   * Reports that a caller has become known: its waiting calls go on, and the turns that it has taken are given back.
   */
  known(caller: string): void {
    this.#gate.letPass(caller)
    const taken = this.#taken.get(caller)
    if (taken === undefined) return
    this.#taken.delete(caller)
    for (const [holder, turns] of taken) for (let at = 0; at < turns; at++) this.#gate.leave(holder)
  }

  #count(caller: string, holder: string): void {
    const taken = this.#taken.get(caller) ?? new Map<string, number>()
    this.#taken.set(caller, taken)
    tally(taken, holder, 1)
  }
}

/**
 * A gate for each caller address, which tells apart the callers at that address. Calls without an address, as over
 * stdio, need no turn.
 */
export class ByAddress implements Stage {
  readonly #gates: CallerGates

  constructor(gates: CallerGates) {
    this.#gates = gates
  }

  enter(caller: string, signal?: CancelSignal, from?: string): Promise<void> | undefined {
    return from === undefined ? undefined : this.#gates.enter(from, signal, caller)
  }

  leave(caller: string, from?: string): void {
    if (from !== undefined) this.#gates.leave(from, caller)
  }
}

/**
 * A gate that addresses share. At each address its callers take turns. Calls without an address, as over stdio, count
 * for their caller instead.
 */
export class AmongAddresses implements Stage {
  readonly #gate: Gate

  constructor(gate: Gate) {
    this.#gate = gate
  }

  enter(caller: string, signal?: CancelSignal, from = caller): Promise<void> | undefined {
    return this.#gate.enter(from, signal, caller)
  }

  leave(caller: string, from = caller): void {
    this.#gate.leave(from)
  }
}

/** Passes all calls to a stage under the name of one holder. */
export class As implements Stage {
  readonly #holder: string
  readonly #stage: Stage
  readonly #from: string | undefined

  /** @param from as in Stage, for all calls */
  constructor(holder: string, stage: Stage, from?: string) {
    this.#holder = holder
    this.#stage = stage
    this.#from = from
  }

  enter(_caller: string, signal?: CancelSignal): Promise<void> | undefined {
    return this.#stage.enter(this.#holder, signal, this.#from)
  }

  leave(): void {
    this.#stage.leave(this.#holder, this.#from)
  }
}
