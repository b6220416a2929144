import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { exchange } from '../../../src/upstream/answers/exchange.ts'
import { createDispatcher, type DispatcherOptions } from '../../../src/upstream/connections/dispatcher.ts'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'
import { OpenConnections } from '../../../src/upstream/connections/open-connections.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
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
    const open = OpenConnections.for(concurrency)
    const sockets = Array.from({ length: each + 1 }, () => new PassThrough().on('error', () => {}))
    for (const socket of sockets) open.add(socket, 'forge')
    t.same(sockets.map(({ destroyed }) => destroyed).indexOf(false), 1, 'the oldest has gone, and no other')
    for (const socket of sockets) socket.destroy()
  }
  t.end()
})
