import { type AddressInfo, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import type { RoomLimits } from '../../../src/collections/shared-room.ts'
import { createDispatcher, type DispatcherOptions } from '../../../src/upstream/connections/dispatcher.ts'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'
import {
  type Counted,
  type LinkConnections,
  OpenConnections
} from '../../../src/upstream/connections/open-connections.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { selfSigned } from '../../support/certificates.ts'
import { listen, listenTls } from '../../support/listen.ts'
import { startProxy } from '../../support/proxy.ts'
import { until } from '../../support/until.ts'

const trusted = selfSigned(t)
const tls = tlsTrust({ caPath: trusted.path, verify: true })
const limits = { maxBytes: 1000, deadlineMs: 60_000 }

/** Two dispatchers, as of two forges, that share what they may have open. */
function twoForges(t: Test, each: number, options: DispatcherOptions) {
  const strangers = { handshakes: new Handshakes(), open: new OpenConnections({ each }) }
  return [1, 2].map(() => {
    const dispatcher = createDispatcher({ tls, strangers, ...options })
    t.teardown(() => dispatcher.destroy())
    return async (origin: string, path: string) =>
      (await exchange(dispatcher, { origin, path, method: 'GET' }, limits)).body
  }) as [Asking, Asking]
}
type Asking = (origin: string, path: string) => Promise<string>

for (const [way, scheme] of [
  ['plain', 'http'],
  ['over TLS', 'https'],
  ['through a tunnel', 'https'],
  ['through a proxy', 'http']
] as const)
  t.test(`of the connections of an address, ${way}, beyond its share`, async t => {
    const waiting: (() => void)[] = []
    const listener = ({ url }: { url?: string }, response: { end(text: string): void }) => {
      if (url === '/hangs') waiting.push(() => response.end('late'))
      else response.end('forge')
    }
    const forge = scheme === 'http' ? await listen(t, listener) : await listenTls(t, trusted, listener)
    const { url } = await startProxy(t)
    const [first, second] = twoForges(
      t,
      2,
      way.startsWith('through') ? { proxy: { http: url, https: url, no: '' } } : {}
    )

    t.test('the oldest in use is given up, and its call is told why', async t => {
      const one = first(forge, '/hangs')
      const lost = t.rejects(one, { fault: 'unreachable', message: /TOO_MANY_CONNECTIONS/ })
      await until(() => waiting.length === 1)
      const two = first(forge, '/hangs')
      await until(() => waiting.length === 2)
      t.equal(await second(forge, '/'), 'forge')
      await lost
      waiting[1]!()
      t.equal(await two, 'late')
    })
    t.test('one that is only kept goes before an older one that is in use', async t => {
      const one = first(forge, '/hangs')
      await until(() => waiting.length === 3)
      t.equal(await second(forge, '/'), 'forge')
      const two = first(forge, '/hangs')
      await until(() => waiting.length === 4)
      for (const answer of waiting.splice(0)) answer()
      t.same(await Promise.all([one, two]), ['late', 'late'])
    })
    t.test('one that is only kept goes unnoticed', async t => {
      for (let at = 0; at < 3; at++) {
        t.equal(await first(forge, '/'), 'forge')
        t.equal(await second(forge, '/'), 'forge')
      }
    })
  })

t.test('where there is no room for anybody it is itself the one to go', async t => {
  const forge = await listen(t, (_request, response) => void response.end('forge'))
  const strangers = { handshakes: new Handshakes(), open: new OpenConnections({ all: 0 }) }
  const dispatcher = createDispatcher({ strangers })
  t.teardown(() => dispatcher.destroy())
  await t.rejects(exchange(dispatcher, { origin: forge, path: '/', method: 'GET' }, limits), {
    fault: 'unreachable',
    message: /TOO_MANY_CONNECTIONS/
  })
})

t.test('so many are allowed as a forge has requests at once, and never fewer than it has by default', t => {
  for (const [concurrency, each] of [
    [8, 512],
    [2_000, 2_000]
  ] as const) {
    const open = OpenConnections.for(concurrency).link(() => false)
    const sockets = Array.from({ length: each + 1 }, () => new PassThrough().on('error', () => {}))
    for (const socket of sockets) open.add(socket, 'forge')
    t.same(sockets.map(({ destroyed }) => destroyed).indexOf(false), 1, 'the oldest has gone, and no other')
    for (const socket of sockets) socket.destroy()
  }
  t.end()
})

/** Connections of which each is told by a name. */
function named(limits: RoomLimits) {
  const open = new OpenConnections(limits)
  const sockets = new Map<string, PassThrough & Counted>()
  return {
    link: (hasServed = false) => open.link(() => hasServed),
    add(link: LinkConnections, names: readonly string[], address = 'forge') {
      for (const name of names) {
        const socket = new PassThrough().on('error', () => {})
        sockets.set(name, socket)
        link.add(socket, address)
      }
    },
    /** As undici says that it has no request. */
    keep: (name: string) => void sockets.get(name)!.unref?.(),
    use: (name: string) => void sockets.get(name)!.ref?.(),
    lost: () => [...sockets].filter(([, { destroyed }]) => destroyed).map(([name]) => name)
  }
}

t.test('what is only kept goes first, whoever has most', t => {
  const { add, keep, link, lost, use } = named({ each: 4 })
  const [many, one] = [link(), link()]
  add(one, ['kept'])
  keep('kept')
  add(many, ['a', 'b', 'c', 'd'])
  t.same(lost(), ['kept'])
  keep('b')
  keep('c')
  use('b')
  add(one, ['e'])
  t.same(lost(), ['kept', 'c'])
  t.end()
})

t.test('at an address the link that has most there makes room, by its oldest', t => {
  const { add, link, lost } = named({ each: 5 })
  const [many, few] = [link(), link()]
  add(many, ['elsewhere'], 'another')
  add(few, ['oldest', 'f'])
  add(many, ['a', 'b', 'c', 'd'])
  t.same(lost(), ['a'])
  t.end()
})

t.test('what is in use at a link whose forge has served somebody goes last, whoever has most', t => {
  const { add, keep, link, lost } = named({ each: 4 })
  const [proven, strangers] = [link(true), link()]
  add(proven, ['a', 'b', 'c', 'd'])
  add(strangers, ['s'])
  t.same(lost(), ['s'], 'it is itself the one to go')
  keep('b')
  add(strangers, ['t'])
  add(proven, ['e'])
  t.same(lost(), ['b', 's', 't'])
  add(proven, ['f'])
  t.same(lost(), ['a', 'b', 's', 't'], 'where nothing else is there')
  t.end()
})

t.test('of all addresses the one that has most makes room, as long as it keeps one that is not in use', t => {
  const { add, keep, link, lost } = named({ each: 9, all: 5 })
  const one = link()
  add(one, ['a', 'b', 'c'], 'many')
  add(one, ['d', 'e'], 'few')
  add(one, ['f'], 'another')
  t.same(lost(), ['a'])
  keep('e')
  add(one, ['g'], 'another')
  t.same(lost(), ['a', 'e'])
  t.end()
})

t.test('what a forge has not taken of a request is kept by nobody once the connection has ended', async t => {
  let taken: Promise<string> | undefined
  let goOn = () => {}
  const origin = await listen(t, (request, response) => {
    taken = new Promise(resolve => {
      goOn = () => request.resume()
      request.once('end', () => resolve('all of it')).once('error', ({ message }) => resolve(message))
    })
    // Not ended: Node would read what is left of the request.
    response.setHeader('content-length', 2).write('{}')
  })
  const strangers = { handshakes: new Handshakes(), open: new OpenConnections({}) }
  const dispatcher = createDispatcher({ strangers })
  const request = { origin, path: '/', method: 'POST', body: Buffer.alloc(1_000_000) } as const
  const { body } = await dispatcher.request({ ...request, reset: true })
  t.equal(await body.text(), '{}')
  await dispatcher.destroy()
  goOn()
  t.equal(await taken, 'aborted')
})

t.test('a connection is reset at its end, however little was written to it', async t => {
  const ended: string[] = []
  let goOn = () => {}
  const forge = createServer(socket => {
    socket.once('error', error => ended.push((error as NodeJS.ErrnoException).code!))
    socket.once('end', () => ended.push('ended'))
    socket.once('data', () => socket.pause().write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'))
    goOn = () => socket.resume()
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => forge.close())
  const strangers = { handshakes: new Handshakes(), open: new OpenConnections({}) }
  const dispatcher = createDispatcher({ strangers })
  const origin = `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
  const { body } = await dispatcher.request({ origin, path: '/', method: 'GET' })
  t.equal(await body.text(), '{}')
  await dispatcher.destroy()
  goOn()
  await until(() => ended.length > 0)
  t.same(ended, ['ECONNRESET'])
})

t.test('connections to a forge that has ever other addresses in a network count as those of one', async t => {
  const addresses = ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1']
  const open = new OpenConnections({ each: 1 })
  const sockets: PassThrough[] = []
  const connect = (_target: unknown, callback: (error: null, socket: PassThrough) => void) => {
    const socket = Object.assign(new PassThrough(), { remoteAddress: addresses[sockets.length] })
    t.teardown(() => socket.destroy())
    sockets.push(socket.on('error', () => {}))
    callback(null, socket)
  }
  const link = open.link(() => false)
  const connector = link.connector(connect as never)
  for (const _ of addresses) await new Promise<void>(resolve => connector({} as never, () => resolve()))
  t.same(
    sockets.map(({ destroyed }) => destroyed),
    [true, false, false]
  )
})
