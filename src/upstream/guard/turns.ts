import type { CancelSignal } from '../../cancellation.ts'
import type { Gate, Stage } from './gate.ts'

/** A turn of one stage, and then one of another. */
export class Turns implements Stage {
  readonly #first: Stage
  readonly #second: Stage

  constructor(first: Stage, second: Stage) {
    this.#first = first
    this.#second = second
  }

  enter(caller: string, signal?: CancelSignal): Promise<void> | undefined {
    const turn = this.#first.enter(caller, signal)
    if (turn !== undefined) return turn.then(() => this.#enterSecond(caller, signal))
    return this.#enterSecond(caller, signal)
  }

  leave(caller: string): void {
    this.#second.leave(caller)
    this.#first.leave(caller)
  }

  #enterSecond(caller: string, signal?: CancelSignal): Promise<void> | undefined {
    return this.#second.enter(caller, signal)?.catch(error => {
      this.#first.leave(caller)
      throw error
    })
  }
}

/**
 * A gate for those callers alone that nothing is known of. Anybody can make up tokens and call with each: behind a
 * gate that is narrower than what follows, all of them together leave room for callers who have proven theirs.
 */
export class StrangersGate implements Stage {
  readonly #gate: Gate
  readonly #knows: (caller: string) => boolean

  constructor(gate: Gate, knows: (caller: string) => boolean) {
    this.#gate = gate
    this.#knows = knows
  }

  enter(caller: string, signal?: CancelSignal): Promise<void> | undefined {
    return this.#knows(caller) ? undefined : this.#gate.enter(caller, signal)
  }

  /** A caller may become known while its calls run; what it took as a stranger goes with those that end first. */
  leave(caller: string): void {
    if (this.#gate.holds(caller)) this.#gate.leave(caller)
  }
}

/** A stage at which all who come this way count as one holder. */
export class As implements Stage {
  readonly #holder: string
  readonly #stage: Stage

  constructor(holder: string, stage: Stage) {
    this.#holder = holder
    this.#stage = stage
  }

  enter(_caller: string, signal?: CancelSignal): Promise<void> | undefined {
    return this.#stage.enter(this.#holder, signal)
  }

  leave(): void {
    this.#stage.leave(this.#holder)
  }
}
