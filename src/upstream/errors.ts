import type { ConnectStage } from './connections/connect-failure.ts'

/** The forge answered with a status that is not a success. */
export class ForgeStatusError extends Error {
  readonly status: number
  /** Seconds the forge asks to wait, from Retry-After. */
  readonly retryAfter: number | undefined
  /** Why it was refused, in this service's words, where that was found out (engine/reason.ts, engine/edition.ts). */
  reason: string | undefined
  constructor(status: number, detail: string, retryAfter?: number) {
    super(detail)
    this.name = 'ForgeStatusError'
    this.status = status
    this.retryAfter = retryAfter
  }
}

export type ForgeFault =
  | ConnectStage
  | 'timeout'
  | 'too-large'
  | 'bad-answer'
  | 'graphql'
  | 'cancelled'
  /** The address policy does not let it be asked. */
  | 'forbidden'
  /** Turned away before anything was sent: too much under way, or the forge is down. */
  | 'busy'
  | 'down'

/** The forge could not be asked, or its answer could not be used. The message is meant for the caller. */
export class ForgeError extends Error {
  readonly fault: ForgeFault
  /** As that of a ForgeStatusError. */
  reason: string | undefined
  constructor(fault: ForgeFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ForgeError'
    this.fault = fault
  }
}

/** Whether there was no way to the forge, whichever of them it is. */
export const isUnreachable = (fault: string): boolean => unreachable.has(fault)

const unreachable: ReadonlySet<string> = new Set<ConnectStage>(['dns', 'tls', 'proxy', 'unreachable'])

/** The caller has gone, or wants no answer any more. */
export const cancelled = (): ForgeError => new ForgeError('cancelled', 'The call was cancelled.')
