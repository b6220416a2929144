import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A server on a free port of loopback, gone with the test. @returns its origin */
export const listen = (t: Test, listener: RequestListener, host = '127.0.0.1'): Promise<string> =>
  start(t, createServer(listener), 'http', host)

/** The same over TLS. */
export const listenTls = (t: Test, options: ServerOptions, listener: RequestListener): Promise<string> =>
  start(t, createTlsServer(options, listener), 'https', 'localhost')

async function start(t: Test, server: Server, scheme: string, host: string): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${scheme}://${host}:${(server.address() as AddressInfo).port}`
}

/** A port that was free a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
