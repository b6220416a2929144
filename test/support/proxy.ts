import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface Proxy {
  /** http://127.0.0.1:PORT */
  readonly url: string
  /** Hosts it was asked to connect to, with the Proxy-Authorization of each. */
  readonly asked: { host: string; authorization: string | undefined }[]
}

/**
 * A forward proxy on loopback that tunnels with CONNECT, gone with the test.
 * @param route where a host is to be found; default what it says
 */
export async function startProxy(t: Test, route: (host: string) => string = host => host): Promise<Proxy> {
  const asked: Proxy['asked'] = []
  const sockets = new Set<Socket>()
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connection', socket => sockets.add(socket))
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    asked.push({ host: url, authorization: headers['proxy-authorization'] })
    if (url.startsWith('refused.')) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const { hostname, port } = new URL(`http://${route(url)}`)
    const forge = connect(Number(port || 80), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      forge.pipe(client).pipe(forge)
    })
    sockets.add(forge)
    for (const [one, other] of [
      [client, forge],
      [forge, client]
    ] as const)
      one.on('error', () => other.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
