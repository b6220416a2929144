import { Duplex, PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import type { RoomLimits } from '../../../src/collections/shared-room.ts'
import { digitsOf, portsOf } from '../../../src/load/socket-table.ts'
import { openStream } from '../../../src/upstream/answers/stream.ts'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { ForgeQueues } from '../../../src/upstream/connections/forge-queues.ts'
import { HandshakeSocket } from '../../../src/upstream/connections/handshake-socket.ts'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'
import { bottomOf } from '../../../src/upstream/connections/layers.ts'
import { OpenConnections } from '../../../src/upstream/connections/open-connections.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import { selfSigned } from '../../support/certificates.ts'
import { listen, listenTls } from '../../support/listen.ts'
import { startProxy } from '../../support/proxy.ts'
import { until } from '../../support/until.ts'

const ADDRESS = '192.0.2.1'
const HIGH = 16

/** Connections that are none, each known by the port at its forge: the kernel holds of it what is said here. */
function told(limits: RoomLimits, rest: { requests?: RoomLimits; unseen?: number } = {}) {
  const unread = new Map<number, number>()
  const unsent = new Map<number, number>()
  const open: { socket: Duplex; holder: string; lose: () => void }[] = []
  const lost: number[] = []
  const fails: Error[] = []
  let looks = 0
  const stopped = new ForgeQueues({ answers: limits, ...rest }, async onQueue => {
    looks++
    const failure = fails.pop()
    if (failure !== undefined) throw failure
    for (const [port, bytes] of unread)
      onQueue({
        address: digitsOf(ADDRESS),
        ports: portsOf(4000, port),
        unsent: unsent.get(port) ?? 0,
        unread: bytes
      })
  })
  return {
    lost,
    fails,
    looks: () => looks,
    look: () => stopped.look(open),
    /** @param waiting bytes that this process has read from the kernel, and nobody from it */
    add(holder: string, port: number, bytes: number, waiting = HIGH, written = 0) {
      const socket = new Duplex({ readableHighWaterMark: HIGH, read() {} })
      if (waiting > 0) socket.push(Buffer.alloc(waiting))
      Object.assign(socket, { localPort: 4000, remotePort: port, remoteAddress: ADDRESS })
      Object.assign(socket, { bytesWritten: written })
      unread.set(port, bytes)
      unsent.set(port, written)
      open.push({ socket, holder, lose: () => lost.push(port) })
      return socket
    },
    /** As if the oldest had closed. */
    close: () => void open.shift()
  }
}

t.test('the kernel is asked only where an answer is not read', async t => {
  const { add, look, looks, lost } = told({ all: 10 })
  add('a', 1, 100, HIGH - 1)
  await look()
  t.equal(looks(), 0)
  add('a', 2, 5)
  await look()
  t.equal(looks(), 1)
  t.same(lost, [], 'and what is read counts for nothing')
})

t.test('of a holder with too much, what holds most goes, however old the others are', async t => {
  const { add, look, lost } = told({ all: 1000, each: 100 })
  add('a', 1, 30)
  add('a', 2, 80)
  add('a', 3, 40)
  add('another', 4, 90)
  await look()
  t.same(lost, [2])
})

t.test('of all together, what the biggest holder has most in', async t => {
  const { add, look, lost } = told({ all: 250, each: 200 })
  add('small', 1, 100)
  add('big', 2, 60)
  add('big', 3, 110)
  await look()
  t.same(lost, [3])
})

t.test(
  'of requests that are not taken, those of the biggest holder go, whatever is read of answers',
  async t => {
    const { add, look, looks, lost } = told({}, { requests: { all: 250 }, unseen: 200 })
    add('a', 1, 0, 0, 100)
    await look()
    t.equal(looks(), 0, 'before much was written the kernel is not asked')
    add('b', 2, 0, 0, 90)
    add('b', 3, 0, 0, 80)
    await look()
    t.same(lost, [2])
    await look()
    t.equal(looks(), 1, 'nor again before as much was written once more')
  }
)

t.test('what is written counts also while as much that was written before closes', async t => {
  const { add, close, look, looks } = told({}, { unseen: 200 })
  add('a', 1, 0, 0, 300)
  await look()
  add('a', 2, 0, 0, 150)
  close()
  await look()
  t.equal(looks(), 1)
  add('a', 3, 0, 0, 150)
  close()
  await look()
  t.equal(looks(), 2)
})

t.test('of a connection with TLS counts what waits above it', async t => {
  const { add, look, lost } = told({}, { requests: { all: 250 }, unseen: 200 })
  const over = new PassThrough({ highWaterMark: 1 })
  new HandshakeSocket(add('a', 1, 0, 0), { handshake: work => work(), data: work => work() }).secured(over)
  over.write(Buffer.alloc(200))
  over.write(Buffer.alloc(300))
  Object.assign(over, { bytesWritten: 500 })
  await look()
  t.same(lost, [1])
})

t.test('the kernel is asked once at a time', async t => {
  const { add, look, looks } = told({ all: 1000 })
  add('a', 1, 100)
  await Promise.all([look(), look()])
  t.equal(looks(), 1)
})

t.test('where the kernel cannot be asked nothing is lost, and it is asked again', async t => {
  const { add, fails, look, lost } = told({ all: 10 })
  add('a', 1, 100)
  fails.push(new Error('no such table'))
  await look()
  t.same(lost, [])
  await look()
  t.same(lost, [1])
})

const trusted = selfSigned(t)
const tls = tlsTrust({ caPath: trusted.path, verify: true })
const skip = process.platform !== 'linux' && 'only Linux says what it holds of connections'

const ways = [
  ['plain', 'http'],
  ['over TLS', 'https'],
  ['through a tunnel', 'https'],
  ['through a proxy', 'http']
] as const

/** A stream of 30 MB that nobody reads, from a forge that is asked in such a way. */
async function unreadStream(t: Test, [way, scheme]: (typeof ways)[number], open: OpenConnections) {
  const listener = (_: unknown, response: { write(text: string): void }) =>
    response.write('x'.repeat(30_000_000))
  const forge = scheme === 'http' ? await listen(t, listener) : await listenTls(t, trusted, listener)
  const { url } = await startProxy(t)
  const proxy = way.startsWith('through') && { proxy: { http: url, https: url, no: '' } }
  const dispatcher = createDispatcher({ tls, strangers: { handshakes: new Handshakes(), open }, ...proxy })
  t.teardown(() => dispatcher.destroy())
  const largeAnswers = new LargeAnswers()
  t.teardown(() => largeAnswers.close())
  const whose = { caller: 'caller', holder: 'forge', largeAnswers }
  return openStream(dispatcher, { origin: forge, path: '/', method: 'GET' }, 60_000, undefined, whose)
}

for (const way of ways)
  t.test(`of an answer that nobody reads, ${way[0]}, the process takes little from the kernel`, async t => {
    const queues = new ForgeQueues()
    let tcp: Duplex | undefined
    queues.look = async ([only]) => {
      tcp = only && bottomOf(only.socket)
    }
    const open = new OpenConnections({}, queues)
    const { body } = await unreadStream(t, way, open)
    body.on('error', () => {})
    await open.look(() => {})
    await until(() => tcp!.readableLength >= tcp!.readableHighWaterMark)
    t.ok(tcp!.readableLength <= 32 * 1024, `${tcp!.readableLength} bytes`)
  })

for (const way of ways)
  t.test(
    `an answer that fills the kernel, ${way[0]}, is given up, and its call is told why`,
    { skip },
    async t => {
      const open = new OpenConnections({}, new ForgeQueues({ answers: { all: 1024 } }))
      const { body } = await unreadStream(t, way, open)
      let failed: unknown
      body.on('error', error => {
        failed = error
      })
      const cut: string[] = []
      await until(async () => {
        await open.look(holder => cut.push(holder))
        return failed
      })
      t.equal(cut.length, 1)
      t.match(failed, { fault: 'too-large', message: /given up for lack of memory/ })
    }
  )

t.test(
  'a request that a forge has answered before it took it is dropped with its connection',
  { skip },
  async t => {
    const ended: string[] = []
    let goOn = () => {}
    const forge = await listen(t, (request, response) => {
      request.once('error', ({ message }) => ended.push(message)).once('end', () => ended.push('all of it'))
      goOn = () => request.resume()
      // Not ended: Node would read what is left of the request.
      response.setHeader('content-length', 2).write('{}')
    })
    const open = new OpenConnections({}, new ForgeQueues({ requests: { all: 1_000_000 }, unseen: 1 }))
    const dispatcher = createDispatcher({ strangers: { handshakes: new Handshakes(), open } })
    t.teardown(() => dispatcher.destroy())
    const { body } = await dispatcher.request({
      origin: forge,
      path: '/',
      method: 'POST',
      body: Buffer.alloc(8_000_000)
    })
    await body.text()
    await open.look(() => ended.push('cut'))
    goOn()
    await until(() => ended.length > 1)
    t.same(ended, ['cut', 'aborted'])
  }
)
