import { randomInt } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

interface Place {
  /** Of loopback; 127.0.0.1 unless told. */
  readonly address?: string
  /** As the origin names it; the address unless told. */
  readonly host?: string
}

/** A server on a free port of loopback, gone with the test. @returns its origin */
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
  // An idle connection that ends here may just be given another request by its client, which then fails.
  server.keepAliveTimeout = 0
  await new Promise<void>(resolve => server.listen(0, address, resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${scheme}://${host}:${(server.address() as AddressInfo).port}`
}

/** Below those that systems give to connections and to whoever asks for any port. */
const OWN_PORTS = { first: 10_000, count: 22_000 }

/**
 * A free port for a program that has to be told one. No system gives it away before the program has it, as it would one
 * that it chose itself.
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
