import type { CancelSignal } from '../../base/cancellation.ts'

/** The caller of a step of a login. */
export interface LoginCaller {
  /** The holder whose limits the call counts against (oauth/endpoints/fetch-metadata.ts). */
  readonly holder: string
  /** The address that the call came from, as in the log. */
  readonly ip: string
  /** The id of the request, as in the log. */
  readonly requestId: string
  /** Aborts once nobody waits for the answer. Set at steps that find a client. */
  readonly gone?: CancelSignal
}

export interface Browser extends LoginCaller {
  /** The holder whose limits the call counts against if no page of another origin can have caused it. */
  readonly address: string
  /** The nonce of a login that begins now. All logins that begin while the browser has this nonce share it. */
  readonly nonce: string
  /** The nonces of the cookies that the browser sent: any login that began with one of these may go on. */
  readonly sent: readonly string[]
}
