import type { CancelSignal } from '../../base/cancellation.ts'

/** The caller of a step of a login. */
export interface LoginCaller {
  /** Whose limits it counts against (fetch-metadata.ts). */
  readonly holder: string
  /** The address it came from, as in the log. */
  readonly ip: string
  /** The id of the request, as in the log. */
  readonly requestId: string
  /** Aborts once nobody waits for the answer, at steps that find a client. */
  readonly gone?: CancelSignal
}

export interface Browser extends LoginCaller {
  /** Whose limits it counts against where no page of another origin can have caused it. */
  readonly address: string
  /** The nonce of its cookie: the same for all logins that the browser has under way. */
  readonly nonce: string
  /** Whether it sent that cookie. */
  readonly hasCookie: boolean
}
