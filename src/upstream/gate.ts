import { ForgeError } from './errors.ts'

export interface GateLimits {
  /** Calls at once. */
  readonly limit: number
  /** Calls that wait for their turn. */
  readonly queue: number
  /** Longest wait, in milliseconds. */
  readonly waitMs: number
}

interface Waiter {
  admit(): void
}

/**
 * Bounds what runs at once. Whoever does not fit waits its turn, in order, for a short time; who finds the queue
 * full is turned away at once. A call that finds room costs a comparison.
 */
export class Gate {
  readonly #limits: GateLimits
  readonly #refusal: () => ForgeError
  readonly #waiting = new Set<Waiter>()
  #running = 0

  /** @param refusal makes the error of those who are turned away */
  constructor(limits: GateLimits, refusal: () => ForgeError) {
    this.#limits = limits
    this.#refusal = refusal
  }

  get isEmpty(): boolean {
    return this.#running === 0 && this.#waiting.size === 0
  }

  /**
   * @returns undefined when there is room, else a promise of it. Whoever got in calls `leave`.
   * @throws ForgeError busy or cancelled, as a rejection
   */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    if (this.#running < this.#limits.limit) {
      this.#running++
      return undefined
    }
    if (this.#waiting.size >= this.#limits.queue) return Promise.reject(this.#refusal())
    return this.#wait(signal)
  }

  leave(): void {
    const next = this.#waiting.values().next()
    if (next.done) this.#running--
    else next.value.admit()
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(waiter)
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
      }
      const waiter: Waiter = {
        admit() {
          end()
          resolve()
        }
      }
      const fail = (error: ForgeError): void => {
        end()
        reject(error)
      }
      const cancel = () => fail(new ForgeError('cancelled', 'The call was cancelled.'))
      const timer = setTimeout(() => fail(this.#refusal()), this.#limits.waitMs)
      if (signal?.aborted) return cancel()
      signal?.addEventListener('abort', cancel, { once: true })
      this.#waiting.add(waiter)
    })
  }
}

/** One gate a caller, kept only while it is used. */
export class CallerGates {
  readonly #limits: GateLimits
  readonly #refusal: () => ForgeError
  readonly #gates = new Map<string, Gate>()

  constructor(limits: GateLimits, refusal: () => ForgeError) {
    this.#limits = limits
    this.#refusal = refusal
  }

  get size(): number {
    return this.#gates.size
  }

  enter(caller: string, signal?: AbortSignal): Promise<void> | undefined {
    let gate = this.#gates.get(caller)
    if (gate === undefined) {
      gate = new Gate(this.#limits, this.#refusal)
      this.#gates.set(caller, gate)
    }
    return gate.enter(signal)
  }

  leave(caller: string): void {
    const gate = this.#gates.get(caller)
    gate?.leave()
    if (gate?.isEmpty) this.#gates.delete(caller)
  }
}

/** A turn of the caller's own, and then one of all callers'. */
export class Turns {
  readonly #callers: CallerGates
  readonly #gate: Gate

  constructor(callers: CallerGates, gate: Gate) {
    this.#callers = callers
    this.#gate = gate
  }

  /**
   * @returns undefined when both are free, else a promise of them. Whoever got in calls `leave`.
   * @throws ForgeError, as a rejection
   */
  enter(caller: string, signal?: AbortSignal): Promise<void> | undefined {
    const own = this.#callers.enter(caller, signal)
    if (own !== undefined) return own.then(() => this.#enterGate(caller, signal))
    return this.#enterGate(caller, signal)
  }

  leave(caller: string): void {
    this.#gate.leave()
    this.#callers.leave(caller)
  }

  #enterGate(caller: string, signal?: AbortSignal): Promise<void> | undefined {
    return this.#gate.enter(signal)?.catch(error => {
      this.#callers.leave(caller)
      throw error
    })
  }
}

/** @param what is under way: `of this caller`, `to this forge` */
export const busy = (limit: number, what: string) => (): ForgeError =>
  new ForgeError(
    'busy',
    `More than ${limit} requests ${what} are under way. This request was not sent: try again in a few seconds.`
  )
