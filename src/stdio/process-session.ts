import { Cancellation } from '../base/cancellation.ts'
import type { View } from '../catalog/policy/view.ts'
import type { Exchange } from '../protocol/exchange/exchange.ts'
import { exchangeOf } from '../protocol/exchange/exchange-of.ts'
import { unnegotiated } from '../protocol/messages/versions.ts'
import type { Credential } from '../session/credential.ts'
import type { Session } from '../session/store.ts'

/** The only session of a process that serves over stdio. All messages of its client belong to it. */
export class ProcessSession {
  readonly #view: () => View
  #session: Session

  /**
   * @param view returns what is offered at present
   * @param token used for every call until another is given
   */
  constructor(view: () => View, token: string) {
    this.#view = view
    this.#session = {
      credential: credentialOf(token),
      apiUrl: undefined,
      activated: 0,
      version: unnegotiated
    }
  }

  get credential(): Credential {
    return this.#session.credential
  }

  /** Whether the client has made the handshake of the initialize era. */
  get isNegotiated(): boolean {
    return this.#session.version !== unnegotiated
  }

  /** Uses another token for all later requests. */
  renew(token: string): void {
    this.#session = { ...this.#session, credential: credentialOf(token) }
  }

  /**
   * The exchange of one message.
   * @param tell sends a message before its answer
   */
  exchange(requestId: string, tell: (message: string) => void): Exchange {
    // A message is served with the token with which it began, and its messages do not contain that token, even if
    // another token has come since.
    const { credential } = this
    const own = this
    return exchangeOf(
      {
        get session() {
          const session = own.#session
          return session.credential === credential ? session : { ...session, credential }
        },
        // Calls run concurrently, and each sees the changes of others at once.
        set session(changed) {
          own.#session = { ...changed, credential: own.credential }
        },
        view: this.#view(),
        resumed: false,
        headers: undefined,
        holder: 'stdio',
        sessionKey: 'stdio',
        shared: false,
        warnings: [],
        requestId,
        streams: true
      },
      new Cancellation(),
      tell
    )
  }
}

const credentialOf = (token: string): Credential => ({ kind: 'private-token', token })
