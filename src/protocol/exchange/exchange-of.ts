import type { Cancellation } from '../../base/cancellation.ts'
import type { Exchange } from './exchange.ts'
import { withoutOwnToken } from './own-token.ts'

/** The part of an exchange that only the transport knows. */
type Given = Omit<Exchange, 'signal' | 'cancel' | 'notify'>

/**
 * Makes the exchange of a message, for every transport. No message to the caller contains the caller's own token.
 * @param given becomes the exchange
 * @param gone aborts when the caller goes, or cancels the message
 * @param tell sends a message before the answer; not called if the client accepts none
 */
export function exchangeOf(given: Given, gone: Cancellation, tell: (message: string) => void): Exchange {
  // Not a copy: over stdio all exchanges share the session, through an accessor.
  return Object.assign(given, {
    signal: gone,
    cancel: () => gone.abort(),
    notify(message: string) {
      if (given.streams) tell(withoutOwnToken(message, given))
    }
  })
}
