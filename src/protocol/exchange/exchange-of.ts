import type { Cancellation } from '../../base/cancellation.ts'
import type { Exchange } from './exchange.ts'
import { withoutOwnToken } from './own-token.ts'

/** What only a transport knows of a message. */
type Given = Omit<Exchange, 'signal' | 'cancel' | 'notify'>

/**
 * The exchange of a message, made by every transport in this way: nothing is said to a caller with its token in it.
 * @param given becomes the exchange
 * @param gone aborts when the caller goes; the caller may also cancel by it
 * @param tell sends a message before the answer; not called if the client accepts none
 */
export function exchangeOf(given: Given, gone: Cancellation, tell: (message: string) => void): Exchange {
  // Not a copy: over stdio all exchanges share the session, by an accessor.
  return Object.assign(given, {
    signal: gone,
    cancel: () => gone.abort(),
    notify(message: string) {
      if (given.streams) tell(withoutOwnToken(message, given))
    }
  })
}
