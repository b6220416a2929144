import type { Server } from 'node:net'

/*
 * A hook into Node's own listener. It is not documented, but there is no other way to look at a connection before Node
 * has made a socket, a parser and timers for it, which is two thirds of what a connection costs. If the listener is not
 * as expected here, it takes connections as Node does, and nothing is reported.
 */

/** A connection that was taken from the kernel, and for which nothing is made yet. */
export interface Arrival {
  /** The other side's, as a socket reports it. */
  readonly address: string
  /** Whether the other side has reset it by now. */
  isGone(): boolean
  /** Goes on with it as Node does. */
  begin(): void
  /** Has the kernel drop it, and all that is queued for it. */
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
 * Gives what arrives at a server, which does not listen yet, to somebody who decides when it begins.
 * @param take called with each; it throws nothing
 * @param onTaken told of each that is taken from the kernel, also of what is reset by then and so given to nobody
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
      // Reset already: what it has sent could not be counted for anybody.
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

/** @returns undefined for what is reset already */
function addressOf(client: ClientHandle): string | undefined {
  const found: { address?: string } = {}
  return client.getpeername?.(found) === 0 ? found.address : undefined
}
