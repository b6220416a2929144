import { createServer } from 'node:http'
import { type AddressInfo, connect, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { type Arrival, takeArrivals } from '../../../src/edge/connections/accept-handles.ts'
import { type ArrivalLimits, Arrivals } from '../../../src/edge/connections/arrivals.ts'
import { FairTurns } from '../../../src/fairness/fair-turns.ts'

const limits = { atOnce: 2, burst: 2, perSecond: 100, waiting: { all: 6, each: 4 } }

/** Arrivals on a clock of their own, what begins and is reset by the names that they came with, and their looks. */
function paced(given: Partial<ArrivalLimits> = {}, isProxy = (_address: string): boolean => false) {
  const begun: string[] = []
  const reset: string[] = []
  const dropped: string[] = []
  const gone = new Set<string>()
  const faulty = new Set<string>()
  const faults: unknown[] = []
  const clock = { ms: 1000 }
  let look: (() => void) | undefined
  const arrivals = new Arrivals({
    limits: { ...limits, ...given },
    isProxy,
    now: () => clock.ms,
    onDropped: address => dropped.push(address),
    onFault: error => faults.push(error),
    later: next => {
      look = next
    }
  })
  const come = (name: string, address = '10.0.0.1') => {
    const arrival: Arrival = {
      address,
      isGone: () => gone.has(name),
      begin() {
        if (faulty.has(name)) throw new Error(name)
        begun.push(name)
      },
      reset: () => void reset.push(name)
    }
    arrivals.take(arrival)
  }
  const pass = (ms: number) => {
    clock.ms += ms
    const next = look
    look = undefined
    next?.()
  }
  return { arrivals, begun, come, dropped, faults, faulty, gone, pass, reset }
}

t.test('of an address some connections begin at once, and the rest in the order in which they came', t => {
  const { begun, come, pass } = paced()
  for (const name of ['a', 'b', 'c', 'd']) come(name)
  t.same(begun, ['a', 'b'])
  pass(10)
  t.same(begun, ['a', 'b', 'c'])
  pass(10)
  t.same(begun, ['a', 'b', 'c', 'd'])
  t.end()
})

t.test('a burst of an address begins in turns before its rate counts', t => {
  const { begun, come, pass } = paced({ burst: 6, waiting: { all: 20, each: 10 } })
  for (let at = 0; at < 9; at++) come('many')
  t.equal(begun.length, 2)
  pass(2)
  t.equal(begun.length, 6)
  pass(2)
  t.equal(begun.length, 6)
  pass(10)
  t.equal(begun.length, 7)
  t.end()
})

t.test('others do not wait for them', t => {
  const { begun, come } = paced()
  for (const name of ['a', 'b', 'c']) come(name)
  come('other', '10.0.0.2')
  t.same(begun, ['a', 'b', 'other'])
  t.end()
})

t.test(
  'of many addresses no more begin at once than there is time for, and one with few goes before their rest',
  t => {
    const { begun, come, pass } = paced({ waiting: { all: 100, each: 50 } })
    for (let round = 0; round < 3; round++) for (let at = 0; at < 8; at++) come('many', `10.0.1.${at}`)
    t.equal(begun.length, 4)
    come('few', '10.0.0.2')
    t.equal(begun.length, 4)
    for (let look = 0; look < 3; look++) pass(2)
    t.ok(begun.includes('few'))
    t.ok(begun.length <= 16)
    t.end()
  }
)

t.test('the addresses of an IPv6 network wait for one another', t => {
  const { begun, come } = paced()
  for (const at of [1, 2, 3]) come(String(at), `2001:db8:1:${at}::1`)
  t.same(begun, ['1', '2'])
  t.end()
})

t.test('those of a proxy do not wait: they are many callers', t => {
  const { begun, come } = paced({}, address => address === '10.0.0.1')
  for (const name of ['a', 'b', 'c']) come(name)
  t.same(begun, ['a', 'b', 'c'])
  t.end()
})

t.test('those that wait begin in turns of their addresses, however many one has', t => {
  const { begun, come, pass } = paced({ waiting: { all: 100, each: 50 }, perSecond: 1000 })
  for (let at = 0; at < 22; at++) come('many')
  for (let at = 0; at < 3; at++) come('few', '10.0.0.2')
  pass(10)
  pass(10)
  t.equal(begun.filter(name => name === 'few').length, 3)
  t.end()
})

t.test('where too many of an address wait, its longest waiting is reset, and told of', t => {
  const { arrivals, begun, come, dropped, pass, reset } = paced()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) come(name)
  t.same([reset, dropped, arrivals.waiting], [['c'], ['10.0.0.1'], 4])
  pass(10)
  t.same(begun, ['a', 'b', 'd'])
  t.end()
})

t.test('where too many of all wait, it is the longest waiting of the address that has most', t => {
  const { come, reset } = paced()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) come(name)
  for (const name of ['g', 'h', 'i', 'j', 'k']) come(name, '10.0.0.2')
  t.same(reset, ['c'])
  t.end()
})

t.test('what its caller has reset meanwhile takes no turn', t => {
  const { begun, come, gone, pass, reset } = paced()
  for (const name of ['a', 'b', 'c', 'd']) come(name)
  gone.add('c')
  pass(10)
  t.same([begun, reset], [['a', 'b', 'd'], ['c']])
  t.end()
})

t.test('an error at a connection that waited ends that connection, and nothing else', t => {
  const { arrivals, begun, come, faults, faulty, pass, reset } = paced()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) come(name)
  for (const name of ['c', 'e']) faulty.add(name)
  pass(20)
  arrivals.leave()
  t.same(
    [begun, reset],
    [
      ['a', 'b', 'd', 'f'],
      ['c', 'e']
    ]
  )
  t.match(faults, [{ message: 'c' }, { message: 'e' }])
  t.end()
})

t.test('an address is forgotten once its share is whole again, and not before', t => {
  const { arrivals, begun, come, pass } = paced()
  for (const name of ['a', 'b']) come(name)
  pass(19)
  arrivals.sweep()
  t.equal(arrivals.size, 1)
  pass(1)
  arrivals.sweep()
  t.equal(arrivals.size, 0)
  for (const name of ['c', 'd', 'e']) come(name)
  t.same(begun, ['a', 'b', 'c', 'd'])
  t.end()
})

t.test('once the server leaves, whoever has connected is served', t => {
  const { arrivals, begun, come } = paced()
  for (const name of ['a', 'b', 'c']) come(name)
  arrivals.leave()
  come('d')
  t.same(begun, ['a', 'b', 'c', 'd'])
  t.end()
})

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

/** What so many connections at once are answered. */
async function answersOf(server: Server, count: number): Promise<string[]> {
  const { port } = server.address() as AddressInfo
  const answers = Array.from({ length: count }, async () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(REQUEST)).on('error', () => {})
    let text = ''
    await new Promise(resolve => socket.on('data', piece => (text += piece)).once('close', resolve))
    return text.slice(0, 12)
  })
  return Promise.all(answers)
}

/** A listener whose arrivals are paced. @param prepare called before it listens */
async function listening(t: Test, given: Partial<ArrivalLimits>, prepare = (_server: Server): void => {}) {
  const dropped: string[] = []
  const faults: unknown[] = []
  const server = createServer((_request, response) => response.end('x'))
  const arrivals = new Arrivals({
    limits: { ...limits, ...given },
    isProxy: () => false,
    now: () => performance.now(),
    onDropped: address => dropped.push(address),
    onFault: error => faults.push(error)
  })
  prepare(server)
  arrivals.guard(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { dropped, faults, server }
}

t.test('connections that wait at a listener are answered', async t => {
  const { dropped, server } = await listening(t, { waiting: { all: 20, each: 20 } })
  t.same(await answersOf(server, 12), Array(12).fill('HTTP/1.1 200'))
  t.same(dropped, [])
})

t.test('connections beyond those that may wait at a listener are reset', async t => {
  const { dropped, server } = await listening(t, { perSecond: 10 })
  const answers = await answersOf(server, 12)
  t.equal(answers.filter(answer => answer === '').length, dropped.length)
  t.ok(dropped.length > 0)
})

t.test('connections are not kept waiting by turns that are long, of which each takes one', async t => {
  const { server } = await listening(t, { atOnce: 1000, burst: 1000, waiting: { all: 1000, each: 1000 } })
  const arrived: string[] = []
  server.on('connection', () => arrived.push('one'))
  const { port } = server.address() as AddressInfo
  const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const turns = new FairTurns({ each: 1 })
  for (let turn = 0; turn < 50; turn++)
    await new Promise<void>(resolve =>
      turns.run('busy', () => {
        for (const began = performance.now(); performance.now() - began < 4; );
        resolve()
      })
    )
  t.ok(arrived.length > 100, `${arrived.length} of 200 within 50 turns`)
})

t.test('what is reset before it is taken has been taken from the kernel as any other', async t => {
  const server = createServer()
  const taken: string[] = []
  takeArrivals(
    server,
    ({ reset }) => {
      taken.push('arrival')
      reset()
    },
    () => taken.push('taken')
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { _handle: handle } = server as unknown as { _handle: { onconnection(...came: unknown[]): void } }
  let closed = 0
  handle.onconnection(0, { getpeername: () => -107, close: () => closed++ })
  t.same(taken, ['taken'])
  t.equal(closed, 1)
  handle.onconnection(0, {
    getpeername(out: { address?: string }) {
      out.address = '10.0.0.1'
      return 0
    },
    close: () => closed++
  })
  t.same(taken, ['taken', 'taken', 'arrival'])
})

t.test('where Node has no such listener, connections are served as they come', async t => {
  const { dropped, server } = await listening(t, { perSecond: 1 }, server =>
    server.once('listening', () => {
      const { _handle: handle } = server as Server & { _handle?: unknown }
      Object.assign(server, { _handle: {} })
      process.nextTick(() => Object.assign(server, { _handle: handle }))
    })
  )
  t.same(await answersOf(server, 12), Array(12).fill('HTTP/1.1 200'))
  t.same(dropped, [])
})
