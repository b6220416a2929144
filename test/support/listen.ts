import { randomInt } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

interface Place {
  /** Loopback address; default 127.0.0.1. */
  readonly address?: string
  /** Host name in the origin; default the address. */
  readonly host?: string
}

/**
 * A server on a free port of loopback, closed after the test.
 * @returns its origin
 */
export const listen = (t: Test, listener: RequestListener, place: Place = {}): Promise<string> =>
  start(t, createServer(listener), 'http', place)

/** The same over TLS. */
export const listenTls = (t: Test, options: ServerOptions, listener: RequestListener): Promise<string> =>
  start(t, createTlsServer(options, listener), 'https', { host: 'localhost' })

async function start(
  t: Test,
  server: Server,
  scheme: string,
  { address = '127.0.0.1', host = address }: Place
): Promise<string> {
  // If an idle connection ends here, its client may just be sending another request on it, which then fails.
  server.keepAliveTimeout = 0
  await new Promise<void>(resolve => server.listen(0, address, resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${scheme}://${host}:${(server.address() as AddressInfo).port}`
}

/** Ports below those that systems give to outgoing connections, and to servers that ask for any port. */
const OWN_PORTS = { first: 10_000, count: 22_000 }

/**
 * A free port for a program that has to be told its port. The system does not give such a port away before the program
 * has it, as could happen with a port that the system chose.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = OWN_PORTS.first + randomInt(OWN_PORTS.count)
    const isFree = await new Promise<boolean>(resolve => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
