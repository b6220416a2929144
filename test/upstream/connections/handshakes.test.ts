import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { Pool } from 'undici'
import {
  createDispatcher,
  type DispatcherOptions,
  forgeBounds
} from '../../../src/upstream/connections/dispatcher.ts'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'
import { OpenConnections } from '../../../src/upstream/connections/open-connections.ts'
import { ReadPace } from '../../../src/upstream/connections/read-pace.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { tunnelled } from '../../../src/upstream/connections/tunnels.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { selfSigned } from '../../support/certificates.ts'
import { stopwatchOf } from '../../support/clock.ts'
import { dearChain } from '../../support/dear-certificates.ts'
import { listenTls } from '../../support/listen.ts'
import { startProxy } from '../../support/proxy.ts'
import { stayAwake } from '../../support/stay-awake.ts'
import { until } from '../../support/until.ts'

stayAwake(t)
const trusted = selfSigned(t)
const tls = tlsTrust({ caPath: trusted.path, verify: true })

function ask(t: Test, options: DispatcherOptions) {
  const dispatcher = createDispatcher({
    tls,
    strangers: { handshakes: new Handshakes(), open: OpenConnections.for(8) },
    ...options
  })
  t.teardown(() => dispatcher.destroy())
  const limits = { maxBytes: 10_000_000, deadlineMs: 60_000 }
  return async (origin: string, path = '/') =>
    (await exchange(dispatcher, { origin, path, method: 'GET' }, limits)).body
}

for (const way of ['straight', 'through a proxy'])
  t.test(`${way}, a forge that speaks TLS`, async t => {
    const proxy = { http: '', https: (await startProxy(t)).url, no: '' }
    const get = ask(t, way === 'straight' ? {} : { proxy })
    const forge = (certificate: { key: string | Buffer; cert: string | Buffer }) =>
      listenTls(t, certificate, ({ url }, response) => {
        if (url === '/closed') {
          response.useChunkedEncodingByDefault = false
          response.writeHead(200, { connection: 'close' })
        }
        response.end(url === '/' ? 'forge' : 'a'.repeat(url === '/large' ? 5_000_000 : 300_000))
      })
    const good = await forge(trusted)

    t.test('is asked as any other, and sends as much as it likes once the connection is secure', async t => {
      t.equal(await get(good), 'forge')
      t.equal((await get(good, '/large')).length, 5_000_000)
      const all = await Promise.all(Array.from({ length: 20 }, () => get(good)))
      t.same(new Set(all), new Set(['forge']))
    })
    t.test('is read to the end when it has long closed the connection by then', async t => {
      const slow = ask(t, { ...(way !== 'straight' && { proxy }), pace: new ReadPace(0.05) })
      const all = await Promise.all(Array.from({ length: 8 }, () => slow(good, '/closed')))
      t.same(
        all.map(({ length }) => length),
        Array(8).fill(300_000)
      )
    })
    t.test('is not listened to when it sends certificates without end', async t => {
      const dear = await forge(dearChain(20))
      await t.rejects(get(dear), { fault: 'tls', message: /ERR_TLS_LONG_HANDSHAKE/ })
    })
    t.test('is not listened to beyond what one connection may bring, where that is bounded', async t => {
      const bounds = { ...forgeBounds(4), mostBytes: 64 * 1024 }
      const bounded = ask(t, { ...(way !== 'straight' && { proxy }), bounds })
      t.equal(await bounded(good), 'forge')
      await t.rejects(bounded(good, '/large'), { message: /LONG_CONNECTION/ })
    })
    t.test('is told apart where its certificate is not trusted', async t => {
      await t.rejects(get(await forge(selfSigned(t))), {
        fault: 'tls',
        message: /DEPTH_ZERO_SELF_SIGNED_CERT/
      })
    })
  })

t.test('a forge that wants DHE, whose groups are of its own choice, finds no cipher', async t => {
  for (const caPath of ['', trusted.path]) {
    const only = {
      ciphers: 'DHE-RSA-AES128-GCM-SHA256:DHE-ECDSA-AES128-GCM-SHA256',
      maxVersion: 'TLSv1.2'
    } as const
    const origin = await listenTls(
      t,
      { ...trusted, ...only, dhparam: 'auto' as never },
      (_request, response) => {
        response.end()
      }
    )
    await t.rejects(ask(t, { tls: tlsTrust({ caPath, verify: true }) })(origin), {
      fault: 'tls',
      message: /HANDSHAKE_FAILURE/
    })
  }
})

t.test('after what a handshake took its holder rests for the square of it, and others for as long', t => {
  const { done, handshakes, rests, work } = onAClock()
  handshakes.handshake('dear', 'caller', work('first', 7))
  handshakes.handshake('dear', 'caller', work('second', 2))
  handshakes.handshake('other', 'caller', work('other', 2))
  t.same(done, ['first'])
  t.same(inMs(rests), [49, 7])
  rests[1]!.next()
  t.same(done, ['first', 'other'], 'all of them rest for as long as it took')
  rests[0]!.next()
  t.same(done, ['first', 'other'])
  t.same(inMs(rests), [49, 7, 4, 2])
  rests[3]!.next()
  t.same(done, ['first', 'other', 'second'])
  for (const { next } of rests.slice(4)) next()
  handshakes.handshake('dear', 'caller', work('third', 2))
  t.equal(done.at(-1), 'third', 'and then there is nothing to wait for')
  t.end()
})

t.test('a long one may be a collection of memory once in a minute, and then it is the holder', t => {
  const { handshakes, rests, work } = onAClock()
  const dear = (): readonly number[] => {
    const before = rests.length
    handshakes.handshake('dear', 'caller', work('dear', 70))
    return inMs(rests.slice(before))
  }
  const goOn = () => {
    for (const { ms, next } of [...rests]) if (ms < 60_000) next()
  }
  t.same(dear(), [60_000, 100, 70])
  goOn()
  t.same(dear(), [4900, 70])
  goOn()
  t.same(dear(), [4900, 70])
  rests.find(({ ms }) => ms === 60_000)!.next()
  goOn()
  t.same(dear(), [60_000, 100, 70], 'a minute later nobody knows of it')
  t.end()
})

/** Handshakes on a clock that goes by the work alone. */
function onAClock() {
  let now = 0
  const rests: { ms: number; next: () => void }[] = []
  const handshakes = new Handshakes(
    stopwatchOf(() => now),
    (ms, next) => rests.push({ ms, next })
  )
  const done: string[] = []
  const work = (what: string, ms: number) => () => {
    done.push(what)
    now += ms
  }
  return { done, handshakes, rests, work }
}

const inMs = (rests: readonly { ms: number }[]) => rests.map(({ ms }) => ms)

t.test('data cannot take long, so that it counts as a few milliseconds at most', t => {
  const { handshakes, rests, work } = onAClock()
  const data = work('data, and a collection of memory', 40)
  handshakes.data('forge', () => {
    data()
    return true
  })
  t.same(inMs(rests), [9, 3])
  t.end()
})

t.test('what comes over a secure connection beside data counts as long as it takes', t => {
  const { handshakes, rests, work } = onAClock()
  const tickets = work('900 tickets', 30)
  for (let at = 0; at < 2; at++) {
    handshakes.data('forge', () => {
      tickets()
      return false
    })
    for (const { ms, next } of [...rests]) if (ms < 60_000) next()
  }
  t.same(inMs(rests), [60_000, 100, 30, 900, 30])
  t.end()
})

t.test('what takes little adds up, and is no reason to rest before', t => {
  const { handshakes, rests, work } = onAClock()
  for (let at = 0; at < 4; at++) handshakes.handshake('forge', 'caller', work('little', 0.25))
  t.same(inMs(rests), [1])
  t.end()
})

/** A record of TLS by its length, whatever it says. */
const record = (bytes: number): Buffer => {
  const made = Buffer.alloc(5 + bytes, 23)
  made.writeUInt16BE(bytes, 3)
  return made
}

/** A connection that is secure, over which each record is taken for data or not. */
function secured(handshakes: Handshakes, { isData = true, mostBytes = Number.POSITIVE_INFINITY } = {}) {
  const raw = new PassThrough()
  const socket = handshakes.over(raw, 'forge', 'caller', mostBytes)
  const over = Object.assign(new PassThrough(), { bytesRead: 0 })
  const came: number[] = []
  socket.on('data', chunk => {
    came.push(chunk.length)
    if (isData) over.bytesRead += chunk.length
  })
  socket.secured(over)
  return { came, raw, socket }
}

const aTurn = () => new Promise(resolve => setImmediate(resolve))

t.test('once it is secure it is handed over record by record, each in a turn that it ends in', async t => {
  const turns: (() => boolean)[] = []
  const handshakes = new Handshakes()
  handshakes.data = (_holder, work) => void turns.push(work)
  const { came, raw } = secured(handshakes)
  await aTurn()
  raw.write(Buffer.concat([record(1200), record(20), record(3000).subarray(0, 4)]))
  for (const expected of [[1205], [1205, 25], [1205, 25, 4]]) {
    await aTurn()
    t.equal(turns.length, 1)
    t.ok(turns.shift()?.())
    t.same(came, expected)
  }
  raw.write(record(3000).subarray(4))
  await aTurn()
  t.ok(turns.shift()?.())
  t.same(came.at(-1), 3001)
  t.same(turns, [])
})

t.test('what waits to be read is handed over once it is, also in a turn', async t => {
  const turns: (() => boolean)[] = []
  const handshakes = new Handshakes()
  handshakes.data = (_holder, work) => void turns.push(work)
  const { came, raw, socket } = secured(handshakes)
  await aTurn()
  raw.write(record(10))
  await aTurn()
  socket.pause()
  turns.shift()?.()
  t.same(came, [])
  socket.resume()
  await aTurn()
  t.same(came, [])
  turns.shift()?.()
  t.same(came, [15])
})

t.test('while nobody reads it takes no more than a record, of which nobody else knows', async t => {
  const { raw, socket } = secured(new Handshakes())
  await aTurn()
  socket.pause()
  raw.write(Buffer.alloc(60_000))
  await aTurn()
  t.equal(raw.readableLength, 60_000 - 16 * 1024)
})

t.test('a ticket or two are as in any connection, and so is data of any length', async t => {
  const data = secured(new Handshakes())
  for (let at = 0; at < 100; at++) data.raw.write(record(1000))
  const tickets = secured(new Handshakes(), { isData: false })
  for (let at = 0; at < 8; at++) tickets.raw.write(record(1000))
  const bytes = (of: { came: number[] }) => of.came.reduce((sum, length) => sum + length, 0)
  await until(() => bytes(data) === 100 * 1005 && bytes(tickets) === 8 * 1005)
  t.notOk(data.socket.destroyed)
  t.notOk(tickets.socket.destroyed)
})

for (const [what, bytes, most] of [
  ['small', 20, 17],
  ['large', 9 * 1024, 1]
] as const)
  t.test(`a connection ends that goes on with records without data, ${what}`, async t => {
    const { came, raw, socket } = secured(new Handshakes(), { isData: false })
    for (let at = 0; at < 30; at++) raw.write(record(bytes))
    const [error] = await once(socket, 'error').catch(error => [error])
    t.match(error, { code: 'TLS_WITHOUT_DATA' })
    t.ok(raw.destroyed)
    t.equal(came.length, most)
  })

t.test('what one connection brings beyond its bound is not handed over, data or not', async t => {
  const { came, raw, socket } = secured(new Handshakes(), { mostBytes: 3000 })
  for (let at = 0; at < 5; at++) raw.write(record(895))
  const [error] = await once(socket, 'error').catch(error => [error])
  t.match(error, { code: 'LONG_CONNECTION' })
  t.same(came, [900, 900, 900, 300])
  t.ok(raw.destroyed)
})

t.test('what comes for a handshake that was given up is not looked at', async t => {
  let run = () => {}
  const raw = new PassThrough()
  const handshakes = new Handshakes()
  handshakes.handshake = (_holder, _asker, work) => {
    run = work
  }
  const socket = handshakes.over(raw, 'forge', 'caller')
  socket.on('data', () => t.fail('nobody listens'))
  raw.write('hello')
  await new Promise(resolve => setImmediate(resolve))
  socket.destroy()
  run()
  t.ok(raw.destroyed)
})

t.test('what has come before the other side hung up is looked at, also when it has to wait', async t => {
  const turns: (() => void)[] = []
  const raw = new PassThrough()
  const handshakes = new Handshakes()
  handshakes.handshake = (_holder, _asker, work) => void turns.push(work)
  const socket = handshakes.over(raw, 'forge', 'caller')
  const came: string[] = []
  socket.on('data', chunk => came.push(String(chunk)))
  socket.on('end', () => came.push('end'))
  raw.end('alert')
  await once(raw, 'close')
  for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
    turn()
    await new Promise(resolve => setImmediate(resolve))
  }
  t.same(came, ['alert', 'end'])
  t.notOk(socket.destroyed, 'nor is what TLS has made of it lost')
  await once(socket.end(), 'close')
})

/** A proxy that takes connections. @returns its URL, and how many it had */
async function silentProxy(t: Test, heard: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => heard(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { https: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

t.test('a proxy that hangs up when it is asked for a forge is asked once', async t => {
  const { https, sockets } = await silentProxy(t, socket => socket.end())
  await t.rejects(ask(t, { proxy: { http: '', https, no: '' } })('https://forge.example'), {
    fault: 'proxy',
    message: /the proxy on the way cannot be used \(ECONNRESET\)/
  })
  t.equal(sockets.length, 1)
})

t.test('a proxy that does not say whether it has connected is not waited for', async t => {
  const { https, sockets } = await silentProxy(t, () => {})
  const pool = new Pool(https)
  t.teardown(() => pool.destroy())
  const connect = tunnelled((target, callback) => {
    const { signal } = target as unknown as { signal: AbortSignal }
    pool.connect({ path: 'forge.example:443', signal }).then(
      () => t.fail('there is no tunnel'),
      error => callback(error, null)
    )
  }, 50)
  const error = await new Promise(resolve =>
    connect({ hostname: 'forge.example', protocol: 'https:', port: '443' }, (...[failure]) =>
      resolve(failure)
    )
  )
  t.match(error, { code: 'TUNNEL_TIMEOUT' })
  t.equal(sockets.length, 1)
})
