import type { Dispatcher } from 'undici'
import type { Outgoing } from './sent-request.ts'

/**
 * Knows for which request a pool or a connection is made: undici makes both while it dispatches the request that needs
 * them. There is one exception. If all connections that a pool may have are in use, undici makes one later, for no
 * particular request.
 */
export class Asking {
  #now: Outgoing | undefined

  /** The origin of the request that is being dispatched; empty if there is none. */
  get origin(): string {
    return String(this.#now?.origin ?? '')
  }

  /** The holder of that request (Outgoing); empty if there is none. */
  get holder(): string {
    return this.#now?.holder ?? ''
  }

  /** Makes a dispatcher record which request it is dispatching. @returns the same dispatcher */
  of<D extends Dispatcher>(dispatcher: D): D {
    const { dispatch } = dispatcher
    dispatcher.dispatch = (options, handler) => {
      const before = this.#now
      this.#now = options
      try {
        return dispatch.call(dispatcher, options, handler)
      } finally {
        this.#now = before
      }
    }
    return dispatcher
  }
}
