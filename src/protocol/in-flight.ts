import type { RequestId } from './jsonrpc.ts'

interface Call {
  readonly id: RequestId
  readonly cancel: () => void
  shared: boolean
}

/**
 * Calls that `notifications/cancelled` can stop, by session and request id, while they run. A notification
 * that reaches another replica finds nothing here, and MCP lets a server ignore it then.
 */
export class InFlight {
  /** By session, which hardly ever has more than one. */
  readonly #calls = new Map<string, Call[]>()

  /** Sessions with calls that run. */
  get size(): number {
    return this.#calls.size
  }

  /**
   * @param cancel stops the call
   * @returns what is called when it is over
   */
  enter(session: string, id: RequestId, cancel: () => void): () => void {
    const calls = this.#calls.get(session)
    // Clients that share a session may count alike: which of them is meant, nobody can tell.
    const other = calls?.find(call => call.id === id)
    if (other !== undefined) {
      other.shared = true
      return () => {}
    }
    const call = { id, cancel, shared: false }
    if (calls === undefined) this.#calls.set(session, [call])
    else calls.push(call)
    return () => this.#leave(session, call)
  }

  /** Stops a call, if it still runs and there is no doubt which it is. */
  cancel(session: string, id: RequestId): void {
    const call = this.#calls.get(session)?.find(call => call.id === id)
    if (call !== undefined && !call.shared) call.cancel()
  }

  #leave(session: string, call: Call): void {
    const calls = this.#calls.get(session)!
    if (calls.length === 1) this.#calls.delete(session)
    else calls.splice(calls.indexOf(call), 1)
  }
}

/** The caller wants no answer any more. */
export class CancelledError extends Error {
  constructor() {
    super('The call was cancelled.')
    this.name = 'CancelledError'
  }
}
