import type { RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Test } from 'tap'
import { listen } from './listen.ts'

const json = { 'content-type': 'application/json' }
const gzip = { ...json, 'content-encoding': 'gzip' }
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))

/** Writes a byte every 20 ms until the other side closes the connection. */
function drip(response: ServerResponse, what = ' '): void {
  const timer = setInterval(() => response.write(what), 20)
  response.on('close', () => clearInterval(timer))
}

function flood(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, ' ')));
  }
  response.on('drain', more)
  more()
}

/** The ways in which a forge may misbehave, by name. */
const faults: Record<string, (response: ServerResponse) => void> = {
  'stalls before its headers': () => undefined,
  'stalls in its body': response => response.writeHead(200, json).write('['),
  'drips its body': response => {
    response.writeHead(200, json)
    drip(response)
  },
  'resets the connection before its headers': response => response.socket?.resetAndDestroy(),
  'resets the connection in its body': response => {
    response.writeHead(200, { ...json, 'content-length': '1000' }).write('[')
    setTimeout(() => response.socket?.resetAndDestroy(), 10)
  },
  'sends less than it said': response => {
    response.writeHead(200, { ...json, 'content-length': '1000' }).write('[1]')
    setTimeout(() => response.socket?.end(), 10)
  },
  'sends half of its JSON': response => response.writeHead(200, json).end('[{"id":1,"na'),
  'sends without end': response => {
    response.writeHead(200, json)
    flood(response)
  },
  'sends a gzip bomb': response => response.writeHead(200, gzip).end(bomb),
  'sends a bomb in a bomb': response =>
    response.writeHead(200, { ...json, 'content-encoding': 'gzip, gzip' }).end(gzipSync(bomb)),
  'sends damaged gzip': response => response.writeHead(200, gzip).end(bomb.subarray(0, 100)),
  'sends a huge header': response =>
    response.writeHead(200, { ...json, 'x-huge': 'x'.repeat(100_000) }).end('[]'),
  'sends very many headers': response => {
    for (let at = 0; at < 3000; at++) response.setHeader(`x-${at}`, 'x'.repeat(40))
    response.writeHead(200, json).end('[]')
  },
  'sends a login page': response =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><form>password</form>'),
  'sends very deep JSON': response =>
    response.writeHead(200, json).end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  'answers 429 with a long Retry-After': response =>
    response.writeHead(429, { ...json, 'retry-after': '3600' }).end('{"message":"slow down"}'),
  'answers 429 without Retry-After': response => response.writeHead(429, json).end('{}'),
  'answers 500': response => response.writeHead(500, json).end('{"message":"500 Internal Server Error"}'),
  'redirects in circles': response => response.writeHead(302, { location: '?again' }).end(),
  'redirects to nowhere': response => response.writeHead(302).end(),
  'redirects off HTTP': response => response.writeHead(302, { location: 'file:///etc/passwd' }).end()
}

type Fault = string
export const faultNames: readonly Fault[] = Object.keys(faults)

/** The path at which a hostile forge shows a fault. */
export const pathOf = (fault: Fault): string => `/${encodeURIComponent(fault)}`

interface HostileForge {
  readonly origin: string
  /** Number of requests that arrived. */
  asked: number
  /** Number of open connections. */
  readonly open: number
}

/** A forge on loopback that shows the fault named by the path. Any other path is answered by `answer`. */
export async function hostileForge(t: Test, answer: RequestListener): Promise<HostileForge> {
  const sockets = new Set<unknown>()
  const forge = {
    origin: '',
    asked: 0,
    get open() {
      return sockets.size
    }
  }
  forge.origin = await listen(t, (request, response) => {
    forge.asked++
    const { socket } = request
    if (!sockets.has(socket)) socket.once('close', () => sockets.delete(socket))
    sockets.add(socket)
    request.resume()
    const name = decodeURIComponent(request.url!.replace('/api/v4', '').slice(1).split('?')[0]!)
    const fault = faults[name]
    if (fault === undefined) answer(request, response)
    else fault(response)
  })
  return forge
}

/**
 * A server on loopback that speaks no HTTP, or only a byte of it at a time.
 * @returns its origin
 */
export async function rawServer(t: Test, serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    serve(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A forge that answers every request with a branch, but only after `answer` is called. */
export async function heldForge(t: Test) {
  let answer = () => {}
  const asked = new Promise<void>(resolve => {
    answer = resolve
  })
  const forge = await hostileForge(t, async (_request, response) => {
    await asked
    response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  return { forge, answer }
}
