import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Test } from 'tap'

interface Asked {
  /** Host with its port. */
  readonly host: string
  /** Whether the request was a CONNECT, not one for a whole URL. */
  readonly tunnel: boolean
  /** The Proxy-Authorization header. */
  readonly authorization: string | undefined
}

export interface Proxy {
  /** http://127.0.0.1:PORT, or https://localhost:PORT over TLS. */
  readonly url: string
  /** The requests that it received. */
  readonly asked: Asked[]
}

/**
 * A forward proxy on loopback, closed after the test. It tunnels with CONNECT, and forwards requests for whole URLs. It
 * refuses hosts whose name begins with `refused.`. It refuses hosts that begin with `unknown.` unless the client
 * authenticates.
 * @param route gives the address to connect to for a host; by default the host itself
 * @param tls key and certificate; without it the proxy speaks plain HTTP
 */
export async function startProxy(
  t: Test,
  route: (host: string) => string = host => host,
  tls?: ServerOptions
): Promise<Proxy> {
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (!URL.canParse(request.url!)) return response.writeHead(400).end()
    const { host, port } = new URL(request.url!)
    const authorization = request.headers['proxy-authorization']
    asked.push({ host: port === '' ? `${host}:80` : host, tunnel: false, authorization })
    if (host.startsWith('refused.')) return response.writeHead(403).end()
    if (host.startsWith('unknown.') && authorization === undefined) return response.writeHead(407).end()
    return forward(request, response, route(asked.at(-1)!.host))
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.on('connection', socket => sockets.add(socket))
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    asked.push({ host: url, tunnel: true, authorization: headers['proxy-authorization'] })
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
  const origin = tls === undefined ? 'http://127.0.0.1' : 'https://localhost'
  return { url: `${origin}:${(server.address() as AddressInfo).port}`, asked }
}

function forward(request: IncomingMessage, response: ServerResponse, to: string): void {
  const { 'proxy-authorization': _own, ...headers } = request.headers
  const { pathname, search } = new URL(request.url!)
  const onward = send(`http://${to}${pathname}${search}`, { method: request.method!, headers }, answer => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.on('error', () => response.destroy()).pipe(response)
  })
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}
