import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'
import { OpenConnections } from '../../../src/upstream/connections/open-connections.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { selfSigned } from '../../support/certificates.ts'
import { startProxy } from '../../support/proxy.ts'
import { until } from '../../support/until.ts'

const trusted = selfSigned(t)
const tls = tlsTrust({ caPath: trusted.path, verify: true })
const skip = process.platform !== 'linux' && 'only Linux says what is open'

const answer = (more = '') => `HTTP/1.1 201 Created\r\nContent-Length: 2\r\n${more}\r\n{}`

/** Bytes of a request that is taken. */
const SMALL = 200_000

/** What forges do with requests, whether they take them or not. */
const deeds: Record<string, { takes?: true; does: (socket: Socket, raw: Socket) => unknown }> = {
  'that answers, and closes': {
    takes: true,
    does: socket => socket.end(answer('Connection: close\r\n'))
  },
  'that answers, and waits for more': { takes: true, does: socket => socket.write(answer()) },
  'that ends without an answer': { takes: true, does: socket => socket.end() },
  'that resets': { takes: true, does: (_, raw) => raw.resetAndDestroy() },
  'that answers before it takes the request': { does: socket => socket.pause().write(answer()) },
  'that closes, and takes nothing': { does: socket => socket.pause().end(answer('Connection: close\r\n')) },
  'that ends in its answer, and takes nothing': {
    does: (socket, raw) => {
      socket.pause().write(answer().slice(0, -1), () => raw.end())
    }
  },
  'that ends, and takes nothing': {
    does: (socket, raw) => {
      socket.pause()
      raw.end()
    }
  }
}

/** A forge that knows no HTTP: whenever it has taken so many bytes of a connection, it does one thing. */
async function forgeThat(
  t: Test,
  scheme: string,
  bytes: number,
  does: (socket: Socket, raw: Socket) => unknown
) {
  const sockets = new Set<Socket>()
  const forge = createServer({ allowHalfOpen: true }, raw => {
    sockets.add(raw)
    const socket =
      scheme === 'http' ? raw : new TLSSocket(raw, { isServer: true, key: trusted.key, cert: trusted.cert })
    for (const one of [raw, socket]) one.on('error', () => {})
    let taken = 0
    socket.on('data', (piece: Buffer) => {
      taken += piece.length
      if (taken < bytes) return
      taken = 0
      does(socket, raw)
    })
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    forge.close()
  }
  t.teardown(close)
  return { origin: `${scheme}://localhost:${(forge.address() as AddressInfo).port}`, close }
}

/** Sockets that this process has, at either end. */
const openSockets = () =>
  readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length

/** Bytes that the kernel keeps for a port, of connections that nobody has any more (proc_pid_net(5)). */
function leftFor(port: number): number {
  const remote = port.toString(16).toUpperCase().padStart(4, '0')
  const lines = readFileSync('/proc/self/net/tcp', 'utf8').matchAll(
    /: \w{8}:\w{4} \w{8}:(\w{4}) \w\w (\w{8}):\w{8} \S+ +\w+ +\d+ +\d+ +(\d+) /g
  )
  let left = 0
  for (const [, at, bytes, inode] of lines)
    if (at === remote && inode === '0') left += Number.parseInt(bytes!, 16)
  return left
}

for (const [way, scheme, proxied] of [
  ['plain', 'http', undefined],
  ['over TLS', 'https', undefined],
  ['through a proxy', 'http', 'http'],
  ['through a tunnel', 'https', 'http'],
  ['through a proxy over TLS', 'http', 'https'],
  ['through a tunnel over TLS', 'https', 'https']
] as const)
  for (const [who, { takes = false, does }] of Object.entries(deeds))
    t.test(
      `of connections to a forge ${who}, ${way}, nothing is left`,
      { skip, timeout: 10_000 },
      async t => {
        const before = openSockets()
        await t.test('in the kernel', async t => {
          const { origin, close } = await forgeThat(t, scheme, takes ? SMALL : 1, does)
          const { url = origin } =
            (proxied && (await startProxy(t, undefined, proxied === 'https' ? trusted : undefined))) || {}
          const dispatcher = createDispatcher({
            tls,
            strangers: { handshakes: new Handshakes(), open: new OpenConnections({}) },
            ...(proxied && { proxy: { http: url, https: url, no: '' } })
          })
          const body = Buffer.alloc(takes ? SMALL : 6_000_000)
          for (let at = 0; at < 3; at++)
            await dispatcher
              .request({ origin, path: '/', method: 'POST', body, reset: !takes })
              .then(({ body }) => body.text())
              .catch(() => {})
          t.equal(leftFor(Number(new URL(url).port)), 0)
          await dispatcher.destroy()
          close()
        })
        await until(() => openSockets() <= before)
        t.pass('nor open')
      }
    )
