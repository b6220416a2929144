import type { Server } from 'node:net'

/*
 * A hook into Node's own listener. It is not documented, but there is no other way to look at a connection before Node
 * has made a socket, a parser and timers for it, which are two thirds of what a connection costs. If the listener is
 * not as expected here, it accepts connections as Node does, and nothing is reported.
 */

/** A connection that was taken from the kernel, before Node has made anything for it. */
export interface Arrival {
  /** The address of the other side, as a socket reports it. */
  readonly address: string
  /** Whether the other side has reset it by now. */
  isGone(): boolean
  /** Goes on with the connection as Node does. */
  begin(): void
  /** Makes the kernel drop the connection, and all that is queued for it. */
  reset(): void
}

/** Node's handle of a connection. */
interface ClientHandle {
  getpeername?(out: { address?: string }): number
  reset?(): number
  close(): void
}

/** Node's handle of a listener. It calls `onconnection` as its method. */
interface ListenHandle {
  onconnection?: (error: unknown, client: ClientHandle | undefined) => void
}

const handleOf = (server: Server): ListenHandle | null | undefined =>
  (server as Server & { _handle?: ListenHandle | null })._handle

/**
 * Passes each connection that arrives at a server, which does not listen yet, to `take`, which decides when it begins.
 * @param take called with each connection; it must not throw
 * @param onTaken called for each connection that is taken from the kernel, including those that are reset by then and
 * so are not passed to `take`
 */
export function takeArrivals(server: Server, take: (arrival: Arrival) => void, onTaken: () => void): void {
  server.on('listening', () => {
    const handle = handleOf(server)
    const begin = handle?.onconnection
    if (handle == null || typeof begin !== 'function') return
    handle.onconnection = (error, client) => {
      if (client !== undefined) onTaken()
      if (client?.getpeername === undefined) {
        begin.call(handle, error, client)
        return
      }
      const address = addressOf(client)
      // Already reset: its data could not be counted for anybody.
      if (address === undefined) {
        client.close()
        return
      }
      take({
        address,
        isGone: () => addressOf(client) === undefined,
        begin() {
          if (handleOf(server) === handle) begin.call(handle, error, client)
          else client.close()
        },
        reset: () => void (client.reset === undefined ? client.close() : client.reset())
      })
    }
  })
}

/** @returns undefined for a connection that is already reset */
function addressOf(client: ClientHandle): string | undefined {
  const found: { address?: string } = {}
  return client.getpeername?.(found) === 0 ? found.address : undefined
}
