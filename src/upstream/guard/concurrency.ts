import { connectionsTo } from '../connections/open-connections.ts'
import type { GateLimits } from './gate.ts'

/** How many requests are under way at once, and how many wait for their turn. */
export interface Concurrency {
  /** To one forge, from all callers in fair shares. */
  readonly forge: GateLimits
  /** From callers whom the forge has not recently served. The rest is reserved for callers whom it has served. */
  readonly strangers: GateLimits
  /** From one caller, to all forges. */
  readonly caller: GateLimits
  /**
   * From one address of callers to all forges that callers name, whatever their URLs: a part of the connections to one
   * of them.
   */
  readonly address: GateLimits
}

/** Longest wait for a turn at one gate, in milliseconds; a call passes up to five gates in a row (guard.ts). */
const WAIT_MS = 5_000
/** Most calls that wait, of all callers and of one. Their memory is bounded by the limits on bodies. */
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
