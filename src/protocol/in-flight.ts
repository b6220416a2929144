import type { RequestId } from './jsonrpc.ts'

/**
 * Calls that `notifications/cancelled` can stop, by session and request id, while they run. A notification
 * that reaches another replica finds nothing here, and MCP lets a server ignore it then.
 */
export class InFlight {
  readonly #calls = new Map<string, { readonly cancel: () => void; shared: boolean }>()

  get size(): number {
    return this.#calls.size
  }

  /**
   * @param cancel stops the call
   * @returns what is called when it is over
   */
  enter(session: string, id: RequestId, cancel: () => void): () => void {
    const key = keyOf(session, id)
    const other = this.#calls.get(key)
    if (other !== undefined) {
      // Clients that share a session may count alike: which of them is meant, nobody can tell.
      other.shared = true
      return () => {}
    }
    const call = { cancel, shared: false }
    this.#calls.set(key, call)
    return () => void this.#calls.delete(key)
  }

  /** Stops a call, if it still runs and there is no doubt which it is. */
  cancel(session: string, id: RequestId): void {
    const call = this.#calls.get(keyOf(session, id))
    if (call !== undefined && !call.shared) call.cancel()
  }
}

// The ids 1 and "1" are two.
const keyOf = (session: string, id: RequestId): string =>
  `${session} ${typeof id === 'string' ? '$' : ''}${id}`

/** The caller wants no answer any more. */
export class CancelledError extends Error {
  constructor() {
    super('The call was cancelled.')
    this.name = 'CancelledError'
  }
}
