import type { Dispatcher } from 'undici'
import type { Outgoing } from './sent-request.ts'

/**
 * Knows for which request a pool or a connection is made: undici makes both while it dispatches the request that needs
 * them. Only where all connections that a pool may have are in use, one is made later, for nobody in particular.
 */
export class Asking {
  #now: Outgoing | undefined

  /** The origin that is asked, or none. */
  get origin(): string {
    return String(this.#now?.origin ?? '')
  }

  /** Who asks, as in Outgoing; nobody is ''. */
  get holder(): string {
    return this.#now?.holder ?? ''
  }

  /** Has a dispatcher tell what it is dispatching. @returns the dispatcher */
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
