import type { ConnectStage } from './connections/connect-failure.ts'

/** The forge answered with a status that is not a success. */
export class ForgeStatusError extends Error {
  readonly status: number
  /** Seconds the forge asks to wait, from Retry-After. */
  readonly retryAfter: number | undefined
  /** Why it was refused, in this service's words, where that was found out (engine/reason.ts, engine/edition.ts). */
  reason: string | undefined
  /** It came in words that are no JSON: the forge's own are. */
  isText = false
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

/** What stands before the forge has refused a request in its place, or leads away from it. */
export class Intercepted extends ForgeError {
  readonly status: number
  constructor(status: number, message: string, options?: ErrorOptions) {
    super('bad-answer', message, options)
    this.name = 'Intercepted'
    this.status = status
  }

  /** Whether it may stand for the forge's word on a credential: a login page that asks for another, or leads to one. */
  get isOfCredential(): boolean {
    return this.status === 401 || this.status < 400
  }
}

/**
 * An answer that is JSON and yet not what forges send: a number where a record is meant, a record where a name is.
 * @param cause what came of reading it
 */
export class OddAnswer extends ForgeError {
  constructor(cause: unknown) {
    super(
      'bad-answer',
      'The forge’s answer is not of the shape that this tool can read. What was asked for may be seen on the forge’s own pages.',
      { cause }
    )
    this.name = 'OddAnswer'
  }
}

/** What JavaScript throws where a value is of another kind than the code that reads it takes it for. */
export const isOfOddValue = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof URIError || error instanceof RangeError

/** Whether there was no way to the forge, whichever of them it is. */
export const isUnreachable = (fault: string): boolean => unreachable.has(fault)

const unreachable: ReadonlySet<string> = new Set<ConnectStage>(['dns', 'tls', 'proxy', 'unreachable'])

/** The caller has gone, or wants no answer any more. */
export const cancelled = (): ForgeError => new ForgeError('cancelled', 'The call was cancelled.')
