import { LRUCache } from 'lru-cache'
import type { CancelSignal } from '../../base/cancellation.ts'
import { atMost } from '../../collections/at-most.ts'
import { Gate, type GateLimits, type MakeRefusal, type Stage } from './gate.ts'

/** Most callers who are slowed down at once; beyond that, the least recently used is not slowed down any more. */
const MAX_PACES = 10_000

/** One gate for each caller, kept only while it is used. */
export class CallerGates implements Stage {
  readonly #limits: GateLimits
  readonly #refusal: MakeRefusal
  readonly #gates = new Map<string, Gate>()
  readonly #paces = new LRUCache<string, Pace>(atMost(MAX_PACES))

  constructor(limits: GateLimits, refusal: MakeRefusal) {
    this.#limits = limits
    this.#refusal = refusal
  }

  get size(): number {
    return this.#gates.size
  }

  /** @param from the holder within the caller's gate, which tells holders apart; default: the caller */
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
   * Applies a forge's rate limit to a caller. Each time the forge says that it is too much, the caller's turns are
   * halved; each success after the pause adds one again. Forges count by token, so nobody else is slowed down.
   * @param tooMuch status 429, or no requests left
   * @param seconds until the next try makes sense, if the forge says so
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

/** How many turns a caller has, and from when on they may increase. */
interface Pace {
  readonly limit: number
  readonly until: number
}

/** A pause of 60 seconds at most, as a forge may be wrong, or lie; one second if the forge names none. */
const pauseMs = (seconds = 1): number => Math.min(seconds, 60) * 1000
