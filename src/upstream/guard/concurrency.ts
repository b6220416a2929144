import { connectionsTo } from '../connections/open-connections.ts'
import type { GateLimits } from './gate.ts'

/** How many requests are under way at once, and how many wait for their turn. */
export interface Concurrency {
  /** To a forge, of all callers by fair shares. */
  readonly forge: GateLimits
  /** Of callers whom the forge has not answered lately; what is left is kept for those whom it has. */
  readonly strangers: GateLimits
  /** Of a caller, wherever they go. */
  readonly caller: GateLimits
  /** Of an address of callers to forges that callers name, by however many URLs: a part of the connections to one of them. */
  readonly address: GateLimits
}

/** Longest wait for a turn: who would wait longer is told so at once. */
const WAIT_MS = 5_000
/** Calls that wait, of all callers and of one. What they hold is bounded by what their bodies may. */
const QUEUE = { all: 8_192, caller: 1_024 }

/** @param most requests under way at one forge (FORGE_MAX_CONCURRENCY) */
export function concurrencyOf(most: number): Concurrency {
  const part = (share: number) => Math.max(1, Math.floor(most * share))
  const all = { queue: QUEUE.all, waitMs: WAIT_MS, shared: true }
  return {
    forge: { ...all, limit: most },
    strangers: { ...all, limit: part(3 / 4) },
    caller: { limit: Math.max(Math.min(most, 16), part(1 / 8)), queue: QUEUE.caller, waitMs: WAIT_MS },
    address: { ...all, limit: Math.floor(connectionsTo(most) / 4) }
  }
}
