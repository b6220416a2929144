import type { CancelSignal } from '../../base/cancellation.ts'

/** The caller of a step of a login. */
export interface LoginCaller {
  /** Whose limits it counts against (oauth/endpoints/fetch-metadata.ts). */
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
  /** The nonce of a login that begins now: the same for all that begin while the browser has one. */
  readonly nonce: string
  /** The nonces of the cookies that it sent: any of its logins may go on that began with one of these. */
  readonly sent: readonly string[]
}
