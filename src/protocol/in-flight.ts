import type { Exchange } from './exchange.ts'
import {
  code,
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  ProtocolError,
  type RequestId
} from './jsonrpc.ts'
import type { Service } from './service.ts'

interface Call {
  readonly id: RequestId
  /** None once it is over. */
  cancel: (() => void) | undefined
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
   * @param shared several clients may be behind the session, and count alike
   * @returns what is called when it is over
   * @throws ProtocolError when the one client of a session has a request with that id under way
   */
  enter(session: string, id: RequestId, cancel: () => void, shared: boolean): () => void {
    const calls = this.#calls.get(session)
    const other = calls?.find(call => call.id === id)
    if (other !== undefined) {
      if (!shared) throw new ProtocolError(code.invalidRequest, 'A request with this id is still under way.')
      // Which of them a cancellation means, nobody can tell.
      other.shared = true
      return () => {}
    }
    const call: Call = { id, cancel, shared: false }
    if (calls === undefined) this.#calls.set(session, [call])
    else calls.push(call)
    return () => this.#leave(session, call)
  }

  /** Stops a call, if it still runs and there is no doubt which it is. */
  cancel(session: string, id: RequestId): void {
    const call = this.#calls.get(session)?.find(call => call.id === id)
    if (call !== undefined && !call.shared) call.cancel?.()
  }

  #leave(session: string, call: Call): void {
    const calls = this.#calls.get(session)!
    // Former tables of a Map keep what stood there, as InOrder says: not the request with it.
    call.cancel = undefined
    if (calls.length === 1) this.#calls.delete(session)
    else calls.splice(calls.indexOf(call), 1)
  }
}

/** Stops the call that a `notifications/cancelled` names; other notifications are none of its business. */
export function cancelledBy(
  { method, params }: JsonRpcNotification,
  sessionKey: string | undefined,
  inFlight: InFlight
): void {
  if (method === 'notifications/cancelled' && sessionKey !== undefined && isRequestId(params.requestId))
    inFlight.cancel(sessionKey, params.requestId)
}

/** A method that takes a while. */
type LongMethod<More extends unknown[], R> = (
  request: JsonRpcRequest,
  exchange: Exchange,
  service: Service,
  ...more: More
) => Promise<R>

/**
 * Makes `notifications/cancelled` stop a method while it runs.
 * @throws ProtocolError when the id is that of a request of this client that still runs
 */
export const cancellable =
  <More extends unknown[], R>(method: LongMethod<More, R>): LongMethod<More, R> =>
  async (request, exchange, service, ...more) => {
    const { sessionKey, cancel, shared } = exchange
    const leave =
      sessionKey === undefined || cancel === undefined
        ? undefined
        : service.inFlight.enter(sessionKey, request.id, cancel, shared)
    try {
      return await method(request, exchange, service, ...more)
    } finally {
      leave?.()
    }
  }
