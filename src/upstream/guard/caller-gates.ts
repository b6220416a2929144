import { LRUCache } from 'lru-cache'
import { atMost } from '../../at-most.ts'
import type { CancelSignal } from '../../cancellation.ts'
import { Gate, type GateLimits, type Refusal, type Stage } from './gate.ts'

/** Callers who are slowed down at once: the longest unused of more is not. */
const MAX_PACES = 10_000

/** One gate a caller, kept only while it is used. */
export class CallerGates implements Stage {
  readonly #limits: GateLimits
  readonly #refusal: Refusal
  readonly #gates = new Map<string, Gate>()
  readonly #paces = new LRUCache<string, Pace>(atMost(MAX_PACES))

  constructor(limits: GateLimits, refusal: Refusal) {
    this.#limits = limits
    this.#refusal = refusal
  }

  get size(): number {
    return this.#gates.size
  }

  /** @param from whom the caller's gate tells apart; default nobody */
  enter(caller: string, signal?: CancelSignal, from = caller): Promise<void> | undefined {
    let gate = this.#gates.get(caller)
    if (gate === undefined) {
      gate = new Gate(this.#limits, this.#refusal)
      const pace = this.#paces.get(caller)
      if (pace !== undefined) gate.resize(pace.limit)
      this.#gates.set(caller, gate)
    }
    return gate.enter(from, signal)
  }

  leave(caller: string, from = caller): void {
    const gate = this.#gates.get(caller)
    gate?.leave(from)
    if (gate?.isEmpty) this.#gates.delete(caller)
  }

  /**
   * Takes to heart what a forge says of a caller's rate: told that it is too much, the caller has half as many turns, as
   * often as it is told, and with each success after that one more. Forges count by token, so nobody else is slowed down.
   * @param tooMuch 429, or nothing left
   * @param seconds until it is worth a try, as far as the forge says
   * @param now clock in milliseconds
   */
  heed(caller: string, tooMuch: boolean, seconds: number | undefined, now: number): void {
    const pace = this.#paces.get(caller)
    if (!tooMuch && (pace === undefined || now < pace.until)) return
    const limit = pace?.limit ?? this.#limits.limit
    const next = tooMuch ? Math.max(1, Math.floor(limit / 2)) : limit + 1
    if (next >= this.#limits.limit) this.#paces.delete(caller)
    else this.#paces.set(caller, { limit: next, until: tooMuch ? now + pauseMs(seconds) : now })
    this.#gates.get(caller)?.resize(Math.min(next, this.#limits.limit))
  }
}

/** How many turns a caller has, and from when on there may be more. */
interface Pace {
  readonly limit: number
  readonly until: number
}

/** A forge that says more may be wrong, or lie; one that says nothing is asked less for a second. */
const pauseMs = (seconds = 1): number => Math.min(seconds, 60) * 1000
