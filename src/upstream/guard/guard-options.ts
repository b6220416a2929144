import type { CancelSignal } from '../../base/cancellation.ts'
import type { FairTurns } from '../../fairness/fair-turns.ts'
import type { CallerGates } from './caller-gates.ts'
import type { GateLimits, Stage } from './gate.ts'
import type { Refusing } from './refusing.ts'
import type { Standstills } from './silence.ts'
import type { Told, Trouble } from './trouble.ts'

/** What a guard reports, for the log and the metrics. */
export interface GuardEvents {
  /** One exchange has ended: a status, or the kind of trouble or failure. Seconds from dispatch. */
  onExchange?(outcome: number | string, seconds: number): void
  /** An exchange has failed. @param told what the forge said about it, truncated and scrubbed */
  onTrouble?(trouble: Trouble, told?: Told): void
  onRetry?(reason: number | string): void
  /** A call was refused before anything was sent. */
  onRefused?(reason: 'busy' | 'down'): void
  onCircuit?(open: boolean): void
  /** The forge has begun to refuse most requests. Undefined: it no longer does. */
  onRefusing?(refusing: Refusing | undefined): void
}

/** How a guard guards. */
export interface GuardOptions extends GuardEvents {
  readonly limits: GateLimits
  /** Stricter limits for all callers together whom the forge has not recently served; default none. */
  readonly strangers?: GateLimits
  /** Whether a caller is known in another way, and so is no stranger; default: if the forge has recently served it. */
  readonly knows?: (caller: string) => boolean
  /** Shared by all forges: limits what one caller has under way at all of them. */
  readonly callers: CallerGates
  /** Shared by callers' forges: limits what one caller address has under way at all of them. */
  readonly addresses?: Stage | undefined
  /** Whether turns are shared among addresses instead of callers; default no. */
  readonly byAddress?: boolean
  /**
   * Whether no request is heavy and all ask the same, so that a single failure says something about the forge
   * (silence.ts); default no.
   */
  readonly anyTells?: boolean
  /**
   * Shared by all forges: limits how many calls of an address that have waited continue in one turn of the event loop.
   */
  readonly resumed: FairTurns
  /** Clock of durations in milliseconds, as of `performance.now`. */
  readonly now?: () => number
  /** When this process stood still, on that clock; default never. */
  readonly standstill?: Standstills | undefined
  /** Clock of dates in milliseconds. */
  readonly dateNow?: () => number
  readonly random?: () => number
  readonly sleep?: (ms: number, signal?: CancelSignal) => Promise<void>
}
