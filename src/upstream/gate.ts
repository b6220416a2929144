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
  readonly #full: string
  readonly #waiting = new Set<Waiter>()
  #running = 0

  /** @param full what those are told who are turned away */
  constructor(limits: GateLimits, full: string) {
    this.#limits = limits
    this.#full = full
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
    if (this.#waiting.size >= this.#limits.queue) return Promise.reject(this.#busy())
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
      const timer = setTimeout(() => fail(this.#busy()), this.#limits.waitMs)
      if (signal?.aborted) return cancel()
      signal?.addEventListener('abort', cancel, { once: true })
      this.#waiting.add(waiter)
    })
  }

  #busy(): ForgeError {
    return new ForgeError('busy', `${this.#full} This request was not sent: try again in a few seconds.`)
  }
}

/** One gate a caller, kept only while it is used. */
export class CallerGates {
  readonly #limits: GateLimits
  readonly #gates = new Map<string, Gate>()

  constructor(limits: GateLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#gates.size
  }

  enter(caller: string, signal?: AbortSignal): Promise<void> | undefined {
    let gate = this.#gates.get(caller)
    if (gate === undefined) {
      gate = new Gate(this.#limits, `More than ${this.#limits.limit} requests of this caller are under way.`)
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
