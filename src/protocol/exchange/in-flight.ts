import {
  code,
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  plainError,
  type RequestId
} from '../messages/jsonrpc.ts'
import type { Exchange } from './exchange.ts'

interface Call {
  readonly id: RequestId
  /** Undefined once the call is over. */
  cancel: (() => void) | undefined
  shared: boolean
}

/**
 * Running calls that `notifications/cancelled` can stop, by session and request id. A notification that arrives at
 * another replica finds no call there, and MCP allows a server to ignore it.
 */
export class InFlight {
  /** By session; a session hardly ever has more than one call. */
  readonly #calls = new Map<string, Call[]>()

  /** Number of sessions with running calls. */
  get size(): number {
    return this.#calls.size
  }

  /**
   * @param cancel stops the call
   * @param shared whether several clients may use the session, so that ids may be the same
   * @returns a function to call when the call is over
   * @throws ProtocolError if the only client of a session already has a running request with that id
   */
  enter(session: string, id: RequestId, cancel: () => void, shared: boolean): () => void {
    const calls = this.#calls.get(session)
    const other = calls?.find(call => call.id === id)
    if (other !== undefined) {
      if (!shared) throw plainError(code.invalidRequest, 'A request with this id is still under way.')
      // A cancellation would be ambiguous now.
      other.shared = true
      return () => {}
    }
    const call: Call = { id, cancel, shared: false }
    if (calls === undefined) this.#calls.set(session, [call])
    else calls.push(call)
    return () => this.#leave(session, call)
  }

  /** Stops a call, if it still runs and the id is unambiguous. */
  cancel(session: string, id: RequestId): void {
    const call = this.#calls.get(session)?.find(call => call.id === id)
    if (call !== undefined && !call.shared) call.cancel?.()
  }

  /**
   * Whether a session has no call with that id, but one with an id that differs only in its type, such as `7` and
   * `"7"`.
   */
  hasOtherType(session: string, id: RequestId): boolean {
    const alike = this.#calls.get(session)?.filter(call => String(call.id) === String(id)) ?? []
    return alike.length > 0 && alike.every(call => call.id !== id)
  }

  #leave(session: string, call: Call): void {
    const calls = this.#calls.get(session)!
    // Old tables of a Map keep their entries in memory, as InOrder explains. Without this line the request would stay
    // in memory with them.
    call.cancel = undefined
    if (calls.length === 1) this.#calls.delete(session)
    else calls.splice(calls.indexOf(call), 1)
  }
}

/** Stops the call that a `notifications/cancelled` names; ignores other notifications. */
export function cancelledBy(
  { method, params }: JsonRpcNotification,
  sessionKey: string | undefined,
  inFlight: InFlight
): void {
  if (method === 'notifications/cancelled' && sessionKey !== undefined && isRequestId(params.requestId))
    inFlight.cancel(sessionKey, params.requestId)
}

/** A method that takes a while. */
type LongMethod<Service, More extends unknown[], R> = (
  request: JsonRpcRequest,
  exchange: Exchange,
  service: Service,
  ...more: More
) => Promise<R>

/**
 * Makes `notifications/cancelled` stop a method while it runs.
 * @throws ProtocolError if the id is that of a running request of this client
 */
export const cancellable =
  <Service extends { readonly inFlight: InFlight }, More extends unknown[], R>(
    method: LongMethod<Service, More, R>
  ): LongMethod<Service, More, R> =>
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
