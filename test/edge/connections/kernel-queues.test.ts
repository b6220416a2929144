import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { connectionLimits } from '../../../src/edge/connections/connection-limits.ts'
import { KernelQueues } from '../../../src/edge/connections/kernel-queues.ts'
import { Connections } from '../../../src/edge/connections.ts'
import { digitsOf, portsOf, type SocketQueue } from '../../../src/load/socket-table.ts'
import { until } from '../../support/until.ts'

const MIB = 1024 * 1024

/** Connections that are none, of which the kernel says what it is told to say. */
function told() {
  const cuts: string[] = []
  const clock = { ms: 0 }
  let table: SocketQueue[] = []
  let looks = 0
  const queues = new KernelQueues({
    limits: {
      queued: { all: 64 * MIB, each: 16 * MIB },
      queuedUnseen: MIB,
      queuedAtEnd: 1024,
      unreadMs: 30_000
    },
    now: () => clock.ms,
    cut: (socket, reason) => cuts.push(`${socket.remotePort} ${reason}`),
    read: async onQueue => {
      looks++
      table.forEach(onQueue)
    }
  })
  const add = (address: string, port: number, of: 'caller' | 'proxy' = 'caller') => {
    const socket = new Socket()
    const facts = { remoteAddress: address, remotePort: port, localPort: 3000, bytesWritten: 0 }
    for (const [name, value] of Object.entries(facts))
      Object.defineProperty(socket, name, { value, writable: true })
    const state = { isStopped: false }
    queues.add(socket, of === 'caller' ? address : undefined, () => state.isStopped)
    return Object.assign(state, {
      socket,
      write: (bytes: number) => Object.assign(socket, { bytesWritten: socket.bytesWritten + bytes })
    })
  }
  /** @param held what the kernel holds: address, port, what is not acknowledged, what is not read */
  const look = (...held: [address: string, port: number, unsent: number, unread?: number][]) => {
    table = held.map(([address, port, unsent, unread = 0]) => {
      return { address: digitsOf(address), ports: portsOf(3000, port), unsent, unread }
    })
    return queues.look()
  }
  return { queues, cuts, clock, add, look, looks: () => looks }
}

t.test('the kernel is asked only once much may be queued, or where nothing is read', async t => {
  const { add, look, looks } = told()
  const one = add('192.0.2.1', 1)
  one.write(MIB)
  await look()
  t.equal(looks(), 0)
  one.write(1)
  await look()
  await look()
  t.equal(looks(), 1)
  one.isStopped = true
  await look()
  t.equal(looks(), 2)
})

t.test('an address over its bound loses what has been queued longest, and no other does', async t => {
  const { add, look, cuts, queues } = told()
  for (const port of [1, 2, 3]) add('192.0.2.1', port).write(9 * MIB)
  add('192.0.2.2', 4).write(15 * MIB)
  await look(['192.0.2.1', 2, 8 * MIB], ['192.0.2.2', 4, 15 * MIB])
  t.same(cuts, [])
  await look(['192.0.2.1', 2, 8 * MIB], ['192.0.2.1', 3, 1 * MIB, 8 * MIB], ['192.0.2.2', 4, 15 * MIB])
  t.same(cuts, ['2 queued'])
  t.equal(queues.size, 24 * MIB)
})

t.test('what one has taken meanwhile costs it nothing', async t => {
  const { add, look, cuts } = told()
  for (const port of [1, 2]) add('192.0.2.1', port).write(9 * MIB)
  await look(['192.0.2.1', 2, 9 * MIB])
  await look(['192.0.2.1', 1, 9 * MIB])
  t.same(cuts, [])
})

t.test('of all the biggest loses, and connections of a proxy count each for itself', async t => {
  const { add, look, cuts } = told()
  for (const port of [1, 2]) add('192.0.2.1', port).write(5 * MIB)
  const callers: [string, number, number][] = [1, 2].map(port => ['192.0.2.1', port, 5 * MIB])
  const ofProxy = Array.from({ length: 8 }, (_, at): [string, number, number] => ['192.0.2.9', at, 7 * MIB])
  for (const [address, port] of ofProxy) add(address, port, 'proxy').write(7 * MIB)
  await look(...ofProxy)
  t.same(cuts, [])
  await look(...ofProxy, ...callers)
  t.same(cuts, ['1 queued'])
})

t.test('what moves nothing for half a minute is cut, however often it asks', async t => {
  const { add, look, cuts, clock } = told()
  const [mute, slow] = [add('192.0.2.1', 1), add('192.0.2.2', 2)]
  mute.write(2 * MIB)
  slow.write(2 * MIB)
  for (let queued = 2 * MIB; clock.ms < 30_000; clock.ms += 10_000) {
    await look(['192.0.2.1', 1, mute.socket.bytesWritten], ['192.0.2.2', 2, queued--])
    mute.write(1)
  }
  t.same(cuts, [])
  await look(['192.0.2.1', 1, 2 * MIB + 3], ['192.0.2.2', 2, 2 * MIB - 4])
  t.same(cuts, ['1 slow'])
})

t.test('what moves nothing is cut a few of an address in a turn, unless it has moved by then', async t => {
  const { add, look, cuts, clock } = told()
  const held = Array.from({ length: 20 }, (_, at): [string, number, number] => ['192.0.2.1', at, MIB / 2])
  for (const [address, port] of held) add(address, port).write(MIB)
  await look(...held)
  clock.ms = 30_000
  await look(...held)
  const first = cuts.length
  t.ok(first < 10, `${first} at once`)
  await look(...held.slice(0, -1), ['192.0.2.1', 19, MIB / 2 - 1])
  for (let turn = 0; turn < 40; turn++) await nextTurn()
  t.notOk(cuts.includes('19 slow'))
  t.equal(new Set(cuts).size, 19)
})

t.test('an address over its bound loses its connections a few in a turn', async t => {
  const { add, look, cuts } = told()
  const held = Array.from({ length: 40 }, (_, port): [string, number, number] => ['192.0.2.1', port, MIB])
  for (const [address, port] of held) add(address, port).write(MIB)
  await look(...held)
  const first = cuts.length
  t.ok(first < 10, `${first} at once`)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  t.equal(cuts.length, 24)
})

t.test('where the kernel says nothing that is told once, and connections end as ever', async t => {
  const blind: unknown[] = []
  const queues = new KernelQueues({
    limits: { ...connectionLimits, queuedUnseen: -1 },
    now: () => 0,
    cut: () => {},
    onBlind: error => blind.push(error),
    read: async () => Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' }))
  })
  const [early, late] = [new Socket(), new Socket()]
  for (const socket of [early, late]) {
    Object.defineProperty(socket, 'bytesWritten', { value: MIB })
    queues.add(socket, 'a', () => false)
  }
  early.destroy()
  await queues.look()
  await queues.look()
  t.equal(blind.length, 1)
  if (!early.closed) await once(early, 'close')
  await once(late.destroy(), 'close')
})

t.test('a kernel that could not be asked once is asked again', async t => {
  const told: string[] = []
  const failures = ['EMFILE']
  const queues = new KernelQueues({
    limits: { ...connectionLimits, queuedUnseen: -1 },
    now: () => 0,
    cut: () => {},
    onBlind: () => told.push('blind'),
    onMissed: error => told.push((error as NodeJS.ErrnoException).code!),
    async read() {
      const code = failures.pop()
      if (code !== undefined) throw Object.assign(new Error('not now'), { code })
      told.push('read')
    }
  })
  queues.add(new Socket(), 'a', () => false)
  await queues.look()
  await queues.look()
  t.same(told, ['EMFILE', 'read'])
})

/** What a kernel keeps of an answer for a connection that reads nothing. */
const ANSWER = 1_500_000

/** A guarded server whose answers a kernel takes whole, so that nothing of them is this process' own. */
async function guarded(t: Test) {
  const cuts: string[] = []
  const clock = { ms: 0 }
  const connections = new Connections({
    isProxy: () => false,
    callerOf: (request: IncomingMessage) => request.socket.remoteAddress,
    now: () => clock.ms,
    onCut: reason => cuts.push(reason),
    onFault: error => t.error(error)
  })
  const body = Buffer.alloc(ANSWER)
  let begun = 0
  const server = createServer((_request, response) => {
    begun++
    connections.answer(response, body.length)
    response.writeHead(200, { 'content-length': body.length }).end(body)
  })
  connections.guard(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  const ask = (from: string, more = '') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true }).pause()
    sockets.push(socket)
    socket.on('error', () => {}).write(`GET / HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`)
    return socket
  }
  /** States and bytes of what the server's kernel holds for those who are there (proc_pid_net(5)). */
  const held = () => {
    const local = port.toString(16).toUpperCase().padStart(4, '0')
    const lines = readFileSync('/proc/self/net/tcp', 'utf8').matchAll(
      /: \w{8}:(\w{4}) \w{8}:\w{4} (\w\w) (\w{8}):/g
    )
    return [...lines]
      .map(([, at, state, bytes]) => ({ at, state, bytes: Number.parseInt(bytes!, 16) }))
      .filter(({ at, bytes, state }) => at === local && state !== '0A' && bytes > 0)
  }
  const sum = () => held().reduce((all, { bytes }) => all + bytes, 0)
  return { ask, begun: () => begun, clock, connections, cuts, held, sum }
}

/** Why a kernel cannot hold such answers, or cannot say so; false where it can. */
const skip =
  process.platform !== 'linux'
    ? 'only Linux says what it holds of connections'
    : mostWritten() < 2 * ANSWER && 'this kernel takes no whole answer that nobody reads (net.ipv4.tcp_wmem)'

/** Most bytes that the kernel takes for a connection, with what it adds to keep them (tcp(7)). */
function mostWritten(): number {
  return Number(readFileSync('/proc/sys/net/ipv4/tcp_wmem', 'utf8').trim().split(/\s+/)[2])
}

t.test('answers that nobody reads leave the kernel, and others get theirs', { skip }, async t => {
  const { ask, connections, cuts, held, sum } = await guarded(t)
  for (let at = 0; at < 20; at++) ask('127.0.0.2')
  await until(() => sum() > 20 * MIB && connections.unread === 0)
  const reader = ask('127.0.0.3').resume()
  await until(() => {
    connections.sweep()
    return cuts.length > 0 && sum() <= connectionLimits.queued.each
  })
  await until(() => reader.bytesRead > ANSWER)
  t.match(cuts, Array(cuts.length).fill('queued'))
  t.same([...new Set(held().map(({ state }) => state))], ['01'], 'what was cut is gone from the kernel')
})

t.test('what the kernel holds of connections is known once it was asked', { skip }, async t => {
  const { ask, connections, sum } = await guarded(t)
  for (let at = 0; at < 4; at++) ask('127.0.0.2')
  await until(() => sum() > 4 * MIB && connections.unread === 0)
  t.equal(connections.queued, 0)
  await until(() => {
    connections.sweep()
    return connections.queued > 4 * MIB
  })
})

for (const [what, more, end] of [
  [
    'that ends with its answer',
    'Connection: close\r\n',
    (socket: Socket) => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  ],
  ['whose caller has ended its side', '', (socket: Socket) => socket.end()]
] as const)
  t.test(`a connection ${what} is closed once it is read, or reset`, { skip }, async t => {
    const { ask, begun, clock, connections, cuts, sum } = await guarded(t)
    const [mute, reader] = [ask('127.0.0.2', more), ask('127.0.0.3', more)]
    await until(() => sum() > 2 * MIB && connections.unread === 0)
    end(mute)
    reader.resume()
    const swept = (isSo: () => boolean) =>
      until(() => {
        connections.sweep()
        return isSo()
      })
    await until(() => reader.bytesRead > ANSWER)
    end(reader)
    await swept(() => connections.size === 1)
    clock.ms = connectionLimits.unreadMs
    await swept(() => connections.size === 0)
    t.same(cuts, ['slow'])
    t.equal(sum(), 0)
    t.equal(begun(), 2, 'what was asked after the end is not begun')
  })
