import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { listenToo } from '../../src/edge/connections/another-address.ts'
import { type CutReason, connectionLimits } from '../../src/edge/connections/connection-limits.ts'
import { Connections } from '../../src/edge/connections.ts'
import { collect } from '../support/collect.ts'
import { until } from '../support/until.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

interface Setup {
  limits?: Partial<typeof connectionLimits> | Record<string, unknown>
  isProxy?: (address: string) => boolean
  callerOf?: (request: IncomingMessage) => string | undefined
  onRefused?: () => void
}

/** A guarded listener; what it answers counts as an answer. */
async function guarded(
  t: Test,
  listener: RequestListener,
  {
    limits = {},
    isProxy = () => false,
    callerOf = request => request.socket.remoteAddress,
    onRefused = () => {}
  }: Setup = {}
) {
  const cuts: CutReason[] = []
  const faults: unknown[] = []
  const clock = { ms: 0 }
  const connections = new Connections({
    isProxy,
    callerOf,
    onRefused,
    now: () => clock.ms,
    onCut: reason => cuts.push(reason),
    onFault: error => faults.push(error),
    limits: { ...connectionLimits, ...limits } as typeof connectionLimits
  })
  const server = createServer(listener)
  connections.guard(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const sockets: Socket[] = []
  const taken: Socket[] = []
  server.on('connection', socket => taken.push(socket))
  /** Waits until so many bytes have come, of all connections. */
  const came = (bytes: number) =>
    until(() => taken.reduce((sum, { bytesRead }) => sum + bytesRead, 0) === bytes)
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  const open = (text = '', from = '127.0.0.1'): Socket => {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => socket.write(text))
    sockets.push(socket)
    return socket.on('error', () => {})
  }
  return { came, connections, cuts, clock, faults, open, server }
}

const closed = (socket: Socket): Promise<void> =>
  new Promise(resolve => socket.once('close', () => resolve()))

t.test(
  'once it leaves, who asks nothing goes, who stops within a question goes later, and who waits stays',
  async t => {
    let answer = () => {}
    const { came, clock, connections, open } = await guarded(t, (_request, response) => {
      answer = () => response.end('x')
    })
    const [silent, half, waits] = [open(), open(REQUEST.slice(0, 20)), open(REQUEST)]
    await until(() => connections.size === 3)
    await came(20 + REQUEST.length)
    connections.leave()
    clock.ms = connectionLimits.silentMs
    connections.sweep()
    await closed(silent)
    await until(() => connections.size === 2)
    connections.sweep()
    t.equal(connections.size, 2)
    clock.ms = connectionLimits.headersMs
    connections.sweep()
    await closed(half)
    t.equal(waits.destroyed, false)
    const answered = new Promise(resolve => waits.once('data', resolve))
    answer()
    t.match(String(await answered), /^HTTP\/1.1 200/)
  }
)

t.test('once it leaves, a request that still comes has as long as any other', async t => {
  const { came, clock, connections, open } = await guarded(t, () => {})
  const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1900\r\n\r\n{'
  const [early, whole] = [open(post), open(REQUEST)]
  await came(post.length + REQUEST.length)
  connections.leave()
  clock.ms = connectionLimits.requestMs / 2
  const late = open(post)
  await came(2 * post.length + REQUEST.length)
  clock.ms = connectionLimits.requestMs - 1
  connections.sweep()
  t.equal(early.destroyed, false)
  clock.ms = connectionLimits.requestMs
  connections.sweep()
  await closed(early)
  await until(() => connections.size === 2)
  t.same([late.destroyed, whole.destroyed], [false, false])
})

t.test(
  'once it leaves, what a connection that was just taken has sent is still read, and answered',
  async t => {
    const { connections, open, server } = await guarded(t, (_request, response) => response.end('x'))
    const answered = new Promise((resolve, reject) => {
      // Before anything of it is read.
      server.once('connection', () => {
        connections.leave()
        connections.sweep()
        server.close()
      })
      open(REQUEST).once('data', resolve).once('close', reject)
    })
    t.match(String(await answered), /^HTTP\/1.1 200/)
  }
)

t.test('a defect at a connection ends that connection, and nothing else', async t => {
  const wrong = (text: string) => {
    throw new Error(text)
  }
  let isSick = true
  const { faults, open } = await guarded(
    t,
    (request, response) => (request.url === '/begun' ? wrong('begun') : response.end('x')),
    {
      isProxy: address => isSick && address === '127.0.0.2' && wrong('taken'),
      callerOf: request => (request.url === '/asked' ? wrong('asked') : request.socket.remoteAddress)
    }
  )
  await closed(open(REQUEST, '127.0.0.2').resume())
  await closed(open(REQUEST.replace('/', '/asked')).resume())
  await closed(open(REQUEST.replace('/', '/begun')).resume())
  isSick = false
  const [answer] = await once(open(REQUEST, '127.0.0.2'), 'data')
  t.match(String(answer), /^HTTP\/1.1 200/)
  t.match(faults, [{ message: 'taken' }, { message: 'asked' }, { message: 'begun' }])
  t.equal(faults.length, 3)
})

t.test('an error in refusing a tunnel ends its connection, and not the process', async t => {
  const { faults, open } = await guarded(t, () => {}, {
    onRefused() {
      throw new Error('told')
    }
  })
  await closed(open('CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n').resume())
  t.match(faults, [{ message: 'told' }])
})

t.test('requests of one connection are worked for one after another', async t => {
  const begun: (() => void)[] = []
  const { open } = await guarded(t, (_request, response) => begun.push(() => response.end('x')))
  open(REQUEST.repeat(3)).resume()
  await until(() => begun.length > 0)
  await sleep(50)
  t.equal(begun.length, 1)
  begun[0]!()
  await until(() => begun.length > 1)
  t.equal(begun.length, 2)
})

t.test('a connection that sends too many ahead is cut, and who works for its first hears of it', async t => {
  let begun = 0
  let over = 0
  const { connections, cuts, open } = await guarded(
    t,
    (_request, response) => {
      begun++
      response.on('close', () => over++)
    },
    { limits: { pipelined: 4 } }
  )
  const socket = open(REQUEST.repeat(4))
  await until(() => begun === 1)
  t.same(cuts, [])
  socket.write(REQUEST.repeat(200))
  await closed(socket)
  t.same(cuts, ['pipelined'])
  await until(() => connections.size === 0)
  t.equal(begun, 1)
  t.equal(over, 1)
})

t.test('of many connections that speak at once a few are read in a turn of the event loop', async t => {
  const { connections, cuts, open, server } = await guarded(t, (_request, response) => response.end('x'), {
    limits: { reads: 4 }
  })
  const many = Array.from({ length: 60 }, () => open().resume())
  await until(() => connections.size === many.length)
  let came = 0
  let most = 0
  let all = 0
  server.on('request', () => {
    if (came === 0)
      setImmediate(() => {
        most = Math.max(most, came)
        all += came
        came = 0
      })
    came++
  })
  for (const socket of many) socket.write(REQUEST.repeat(2))
  await until(() => all === 120)
  t.equal(all, 120, 'nothing is lost by it')
  t.ok(most <= 5, `${most} in one turn`)
  t.same(cuts, [])
})

t.test('a request is late until all of it is there, and the next one is not', async t => {
  const { connections, open, server } = await guarded(t, (request, response) => {
    request.resume().on('end', () => response.end('x'))
  })
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const socket = open()
  const [there] = await accepted
  const send = async (text: string) => {
    const bytes = there.bytesRead + text.length
    socket.write(text)
    await until(() => there.bytesRead === bytes)
  }
  const post = `${POST}Content-Length: 2\r\n`
  await send(post)
  const ofHead = connections.late(there).isArriving
  await send('\r\nx')
  const ofBody = connections.late(there).isArriving
  t.same([ofHead(), ofBody()], [true, true])
  await send('x')
  t.same([ofHead(), ofBody()], [false, false])
  await once(socket, 'data')
  await send(`${post}\r\nx`)
  t.same([ofHead(), ofBody()], [false, false])
})

t.test(
  'over a connection of a proxy it is its caller who is late, once all of the head is there',
  async t => {
    const { connections, open, server } = await guarded(t, () => {}, {
      isProxy: () => true,
      callerOf: () => '192.0.2.1'
    })
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const socket = open(POST)
    const [there] = await accepted
    await until(() => there.bytesRead > 0)
    t.equal(connections.late(there).holder, '127.0.0.1')
    const begun = once(server, 'request')
    socket.write('Content-Length: 2\r\n\r\nx')
    await begun
    t.equal(connections.late(there).holder, '192.0.2.1')
  }
)

const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\n'
/** Chunks of so many bytes. */
const chunks = (count: number, bytes: number): string =>
  `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(count)
const chunked = (body: string): string => `${POST}Transfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`

for (const [who, listener] of [
  ['nobody wants', (_request, response) => response.end('x')],
  ['is read', request => request.resume()]
] satisfies [string, RequestListener][])
  t.test(`a body that ${who} costs its connection when it comes in crumbs`, async t => {
    const { cuts, open } = await guarded(t, listener)
    await closed(open(chunked(chunks(10_000, 1))).resume())
    t.same(cuts, ['crumbs'])
  })

t.test(
  'over a connection of a proxy it is refused, also to what is still sent, and never worked for',
  async t => {
    let ends = 0
    const { cuts, open } = await guarded(t, request => void request.resume().on('end', () => ends++), {
      isProxy: () => true
    })
    const socket = open(chunked(chunks(4_000, 1)))
    const [answer] = await once(socket, 'data')
    t.match(String(answer), /^HTTP\/1\.1 400 .*connection: close.*small pieces/s)
    let fault: unknown
    socket.on('error', error => {
      fault = error
    })
    socket.write(chunks(1_000, 1))
    await once(socket, 'end')
    socket.end()
    await closed(socket)
    t.same([fault, ends, cuts], [undefined, 0, ['crumbs']])
  }
)

t.test('what was cut for crumbs leaves nothing to the next connection', async t => {
  const bytes: number[] = []
  const { cuts, open } = await guarded(t, async (request, response) => {
    let size = 0
    for await (const piece of request) size += (piece as Buffer).length
    bytes.push(size)
    response.end('x')
  })
  await closed(open(chunked(chunks(10_000, 1))))
  open(chunked(chunks(3_000, 33)) + chunked(chunks(1_500, 1))).resume()
  await until(() => bytes.length === 2)
  t.same(bytes, [99_000, 1_500])
  t.same(cuts, ['crumbs'], 'larger ones are none, and each body has its own')
})

t.test('of bodies that many connections send on and on, a few pieces are read in a turn', async t => {
  const { open, server } = await guarded(t, (_request, response) => response.end('x'))
  const before = server.listenerCount('connection')
  let inTurn = 0
  let most = 0
  let all = 0
  server.on('connection', (socket: Socket & { parser: Record<number, (...read: unknown[]) => unknown> }) => {
    const { parser } = socket
    const { kOnExecute } = parser.constructor as unknown as { kOnExecute: number }
    const read = parser[kOnExecute]!
    parser[kOnExecute] = (...result) => {
      if (inTurn === 0)
        setImmediate(() => {
          most = Math.max(most, inTurn)
          inTurn = 0
        })
      inTurn++
      all++
      return read(...result)
    }
  })
  t.ok(before > 0)
  const body = chunks(4_000, 40)
  const many = Array.from({ length: 30 }, () => open().resume())
  await until(() => many.every(({ connecting }) => !connecting))
  for (const socket of many) socket.write(chunked(body))
  await until(() => all >= 60)
  t.ok(most <= 3, `${most} in one turn`)
})

for (const [what, start, more] of [
  ['a body in small chunks that is read', `${POST}Transfer-Encoding: chunked\r\n\r\n`, chunks(2_000, 33)],
  [
    'a body in small chunks of a caller behind a proxy',
    `${POST}Transfer-Encoding: chunked\r\n\r\n`,
    chunks(2_000, 33)
  ],
  ['a body of a caller behind a proxy', `${POST}Content-Length: 9000000000\r\n\r\n`, 'x'.repeat(65_536)],
  ['a body in small chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n`, chunks(2_000, 33)],
  ['empty lines between requests', '', '\r\n'.repeat(30_000)],
  [
    'extensions of chunks',
    `${POST}Transfer-Encoding: chunked\r\n\r\n`,
    `40;${'a=b;'.repeat(2_000)}c\r\n${'x'.repeat(64)}\r\n`
  ]
] as const)
  t.test(`of what is poured over one connection on and on so much is read in a time, as ${what}`, async t => {
    const { open, server } = await guarded(
      t,
      (request, response) =>
        what.includes('read') ? request.pipe(new PassThrough()).resume() : response.end('x'),
      { isProxy: () => what.includes('proxy') }
    )
    let taken: Socket | undefined
    server.on('connection', socket => {
      taken = socket
    })
    const socket = open(start).resume()
    const pour = () => {
      while (!socket.destroyed && socket.write(more));
    }
    socket.on('drain', pour).once('connect', pour)
    const began = performance.now()
    await until(() => taken !== undefined && taken.bytesRead > 200_000)
    await sleep(500)
    const bytes = taken!.bytesRead
    const ms = performance.now() - began
    t.notOk(socket.destroyed)
    // A microsecond's work for 640 bytes, or one piece of a body.
    const each = what.includes('chunks') && more.length > 60_000 ? 38 : 640
    t.ok(bytes < (12_000 + 3_200 + 200 * ms) * each, `${bytes} bytes in ${ms} ms`)
  })

t.test('what of a connection is cut for sending too much ahead was never begun', async t => {
  let begun = 0
  const { cuts, open } = await guarded(t, (_request, response) => {
    begun++
    response.end('x')
  })
  await closed(open(REQUEST.repeat(200)))
  t.same(cuts, ['pipelined'])
  t.equal(begun, 0)
})

t.test('a connection that was reset before it was taken is asked nothing: it is nobody’s', async t => {
  let nobodys = 0
  let begun = 0
  const { connections, open } = await guarded(t, (request, response) => {
    if (request.socket.remoteAddress === undefined) nobodys++
    else begun++
    response.end()
  })
  for (let round = 0; round < 10; round++) {
    const sockets = Array.from({ length: 50 }, () => open(REQUEST))
    for (const socket of sockets) socket.once('connect', () => socket.resetAndDestroy())
    await Promise.all(sockets.map(closed))
  }
  await until(() => connections.size === 0)
  t.equal(nobodys, 0)
  open(REQUEST)
  await until(() => begun > 0)
})

t.test('what is no HTTP costs its connection', async t => {
  const { open } = await guarded(t, (_request, response) => response.end('x'))
  await closed(open('NONSENSE\r\n\r\n').resume())
})

t.test('what a connection has sent beyond its bounds is not even looked at', async t => {
  const server = createServer()
  const connections = new Connections({
    isProxy: () => false,
    callerOf: () => '',
    now: () => 0,
    onFault() {}
  })
  connections.guard(server)
  let seen = 0
  server.on('request', () => seen++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1', () => socket.write(REQUEST.repeat(1000)))
  socket.on('error', () => {})
  await closed(socket)
  t.equal(seen, connectionLimits.pipelined + 1)
})

t.test('an answer that is not taken in time costs its connection, and no other', async t => {
  const large = 'x'.repeat(10_000_000)
  const { connections, clock, cuts, open } = await guarded(t, ({ url }, response) => {
    const body = url === '/large' ? large : 'small'
    connections.answer(response, body.length)
    response.end(body)
  })
  const mute = open('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n').pause()
  await until(() => connections.unread > 0)
  t.equal(connections.unread, large.length)
  const reader = open(REQUEST).resume()
  await until(() => reader.bytesRead > 0)
  clock.ms = connectionLimits.unreadMs - 1
  connections.sweep()
  t.same(cuts, [])
  clock.ms = connectionLimits.unreadMs
  connections.sweep()
  t.same(cuts, ['slow'])
  await until(() => connections.size === 1)
  t.equal(connections.unread, 0)
  mute.destroy()
})

t.test(
  'an address that leaves too much where it is loses its oldest answers, and others keep theirs',
  async t => {
    const body = 'x'.repeat(8_000_000)
    const { connections, cuts, open } = await guarded(
      t,
      (_request, response) => {
        connections.answer(response, body.length)
        response.end(body)
      },
      { limits: { unread: { all: 30_000_000, each: 17_000_000 } } }
    )
    open(REQUEST, '127.0.0.3').pause()
    await until(() => connections.unread === body.length)
    for (let at = 1; at <= 4; at++) {
      open(REQUEST, '127.0.0.2').pause()
      await until(
        () =>
          connections.unread === body.length * (1 + Math.min(at, 2)) && cuts.length === Math.max(0, at - 2)
      )
    }
    t.same(cuts, ['unread', 'unread'])
    t.equal(connections.unread, 3 * body.length)
  }
)

t.test(
  'of large answers that are whole at once one is put together in a turn, whoever asked for it',
  async t => {
    const held: ServerResponse[] = []
    const { connections, open } = await guarded(t, (_request, response) => held.push(response))
    for (const from of ['127.0.0.1', '127.0.0.2', '127.0.0.2']) open(REQUEST, from).resume()
    await until(() => held.length === 3)
    let given = 0
    const over = Promise.all(held.map(response => connections.wholeAnswer(response).then(() => given++)))
    const turns: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      await Promise.resolve()
      turns.push(given)
      await new Promise(resolve => setImmediate(resolve))
    }
    t.same(turns, [1, 2, 3])
    await over
  }
)

t.test('requests whose last byte comes late are worked for in turns, and whole ones at once', async t => {
  let turn = 0
  const count = () => {
    turn++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  t.teardown(() => clearImmediate(counting))
  const worked: number[] = []
  let begun = 0
  let waited = 0
  const { connections, open } = await guarded(
    t,
    (request, response) => {
      begun++
      request.resume().on('end', async () => {
        const wait = connections.bodyTurn(request)
        if (wait !== undefined) waited++
        await wait
        worked.push(turn)
        response.end('x')
      })
    },
    { limits: { turns: { each: 1 } } }
  )
  const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n1234'
  open(`${post}5`)
  await until(() => worked.length === 1)
  t.equal(waited, 0)
  const late = Array.from({ length: 4 }, () => open(post))
  await until(() => begun === 5)
  for (const socket of late) socket.write('5')
  await until(() => worked.length === 5)
  t.equal(waited, 4)
  t.equal(new Set(worked).size, 5, 'one in a turn of the event loop')
})

t.test('requests whose bodies a worker has read at once are worked for in turns', async t => {
  let turn = 0
  const count = () => {
    turn++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  t.teardown(() => clearImmediate(counting))
  const worked: number[] = []
  let read = () => {}
  const worker = new Promise<void>(resolve => {
    read = resolve
  })
  let begun = 0
  const { connections, open } = await guarded(
    t,
    async request => {
      begun++
      await worker
      await connections.workTurn(request)
      worked.push(turn)
    },
    { limits: { turns: { each: 1 } } }
  )
  for (let at = 0; at < 4; at++) open(REQUEST)
  await until(() => begun === 4)
  read()
  await until(() => worked.length === 4)
  t.equal(new Set(worked).size, 4, 'one in a turn of the event loop')
})

t.test('parts of an answer count until it is given, and are begun in turns as requests are', async t => {
  const { connections, cuts, open } = await guarded(
    t,
    ({ url }, response) => {
      connections.partMade(response, 4_000)
      connections.partMade(response, 4_000)
      if (url === '/held') return
      connections.nextPart(response).then(() => {
        connections.answer(response, 8_001)
        response.end('x'.repeat(8_001))
      })
    },
    { limits: { unread: { all: 100_000, each: 20_000 } } }
  )
  const reader = open(REQUEST).resume()
  await until(() => reader.bytesRead > 8_001)
  await until(() => connections.unread === 0)
  for (let at = 1; at <= 3; at++) open('GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n', '127.0.0.2').pause()
  await until(() => cuts.length > 0)
  t.same(cuts, ['unread'], 'the oldest makes room')
  t.ok(connections.unread <= 20_000)
})

const withHeaders = (count: number): string =>
  `GET / HTTP/1.1\r\nHost: localhost\r\n${Array.from({ length: count }, (_, at) => `x${at}: y\r\n`).join('')}\r\n`

t.test(
  'a request of very many headers is refused, and no header of one that is served is left out',
  async t => {
    let seen = 0
    const { open } = await guarded(t, ({ rawHeaders }, response) => {
      seen = rawHeaders.length / 2
      response.end('x')
    })
    const answerTo = async (count: number) => String(await once(open(withHeaders(count)), 'data'))
    t.match(await answerTo(199), /^HTTP\/1.1 200 /)
    t.equal(seen, 200)
    t.match(await answerTo(200), /^HTTP\/1.1 431 /)
    // Of many more Node itself makes no request.
    await closed(open(withHeaders(600)).resume())
    t.equal(seen, 200)
  }
)

for (const [what, head] of [
  ['has too many headers', withHeaders(199).replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n')],
  ['names no host', 'POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n']
] as const)
  t.test(`a request that ${what} is refused, and the next one on its connection served`, async t => {
    const { open } = await guarded(t, (_request, response) => response.end('x'))
    const socket = open(head)
    let came = ''
    socket.on('data', data => {
      if (came === '') socket.write(`{}${REQUEST}`)
      came += data
    })
    await Promise.race([closed(socket), until(() => came.includes(' 200 '))])
    t.match(came, /^HTTP\/1.1 4[\s\S]+HTTP\/1.1 200 /)
  })

t.test(
  'what requests under way take by their headers is bounded by address, and the oldest go first',
  async t => {
    const { came, cuts, open } = await guarded(t, () => {}, {
      limits: { heads: { all: 200_000, each: 60_000 } }
    })
    const [first, other] = [open(withHeaders(190)), open(withHeaders(190), '127.0.0.2')]
    await came(2 * withHeaders(190).length)
    const gone = closed(first.resume())
    const second = open(withHeaders(190))
    await gone
    t.same(cuts, ['heads'])
    t.same(
      [second, other].map(socket => socket.destroyed),
      [false, false]
    )
  }
)

t.test('an idle connection keeps nothing of its last request', async t => {
  const requests: WeakRef<IncomingMessage>[] = []
  const { open } = await guarded(t, (request, response) => {
    requests.push(new WeakRef(request))
    response.end('x')
  })
  const sockets = [open(REQUEST), open(REQUEST)]
  await Promise.all(sockets.map(socket => once(socket, 'data')))
  await until(() => {
    collect()
    return requests.length === 2 && requests.every(request => request.deref() === undefined)
  })
  t.same(
    sockets.map(({ destroyed }) => destroyed),
    [false, false]
  )
})

/** A server with room for the headers of two requests, whose bodies it does not wait for. */
const answeringEarly = (t: Test) =>
  guarded(t, (_request, response) => response.end('x'), {
    limits: { heads: { all: 200_000, each: 70_000 } }
  })
const early = withHeaders(190).replace('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n')

t.test('a request that is answered before its body has come counts until it has', async t => {
  const { cuts, open } = await answeringEarly(t)
  const [whole, oldest] = [open(early), open(early)]
  await Promise.all([once(whole, 'data'), once(oldest, 'data')])
  whole.write('{}')
  await sleep(50)
  await once(open(early), 'data')
  t.same(cuts, [])
  open(early)
  await closed(oldest.resume())
  t.same(cuts, ['heads'])
})

t.test(
  'a request that is answered before its body has come counts no longer than its connection',
  async t => {
    const { connections, cuts, open } = await answeringEarly(t)
    for (let at = 0; at < 4; at++) {
      const socket = open(early)
      await once(socket, 'data')
      socket.destroy()
      await until(() => connections.size === 0)
    }
    t.same(cuts, [])
  }
)

t.test(
  'what comes of bodies that nobody reads counts as headers do, until somebody else counts it',
  async t => {
    const isCounted = { read: false }
    const reads: Promise<unknown>[] = []
    const { came, connections, cuts, open } = await guarded(
      t,
      (request, response) => {
        if (!isCounted.read) return
        connections.bodyCounted(response)
        reads.push(once(request.resume(), 'end'))
      },
      { limits: { heads: { all: 1_000_000, each: 250_000 } } }
    )
    const post = (bytes: number) =>
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`
    const oldest = open(REQUEST + post(50_000)).resume()
    await until(() => connections.size === 1)
    const others = [1, 2].map(() => open(REQUEST + post(50_000)))
    await came(3 * (REQUEST + post(50_000)).length)
    t.same(cuts, [])
    open(REQUEST + post(50_000))
    await closed(oldest)
    t.same([cuts, others.map(({ destroyed }) => destroyed)], [['heads'], [false, false]])
    for (const socket of others) socket.destroy()
    await until(() => connections.size === 1)
    isCounted.read = true
    // Of each some comes before it is begun.
    for (let at = 1; at <= 5; at++) {
      open(post(100_000), '127.0.0.2')
      await until(() => reads.length === at)
    }
    await Promise.all(reads)
    t.same(cuts, ['heads'])
  }
)

t.test(
  'to a proxy that brings too much of a caller, an answer ends the connection of the oldest',
  async t => {
    const begun: ServerResponse[] = []
    const { cuts, open } = await guarded(t, (_request, response) => begun.push(response), {
      isProxy: () => true,
      callerOf: () => '192.0.2.1',
      limits: { heads: { all: 1_000_000, each: 25_000 } }
    })
    const large = REQUEST.replace('\r\n\r\n', `\r\nX: ${'x'.repeat(9000)}\r\n\r\n`)
    const oldest = open(large)
    await until(() => begun.length === 1)
    const [answer] = await Promise.all([once(oldest, 'data'), open(large), open(large)])
    t.match(String(answer), /^HTTP\/1\.1 503 .*connection: close\r\n/s)
    t.same(cuts, ['heads'])
    begun[0]!.end('too late')
    await closed(oldest)
    const next = open(large)
    await until(() => begun.length === 4)
    begun[1]!.write('x')
    t.equal(next.destroyed, false)
  }
)

t.test('each piece of a body that nobody reads counts by what it takes, however small it is', async t => {
  const { came, cuts, open } = await guarded(t, () => {}, {
    limits: { heads: { all: 1_000_000, each: 500_000 } }
  })
  const crumbs = `${REQUEST}POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(500)}`
  const oldest = open(crumbs).resume()
  await came(crumbs.length)
  open(crumbs)
  await came(2 * crumbs.length)
  t.same(cuts, [])
  open(crumbs)
  await closed(oldest)
  t.same(cuts, ['heads'])
})

for (const [what, begin] of [
  ['heads', 'GET / HTTP/1.1\r\nHost: localhost\r\n'],
  ['heads behind a request', `${REQUEST}GET / HTTP/1.1\r\n`],
  ['trailers', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n']
] as const)
  t.test(`${what} that are not whole count as headers do, and the oldest go first`, async t => {
    const { came, cuts, open } = await guarded(t, request => void request.resume(), {
      limits: { heads: { all: 1_000_000, each: 100_000 } }
    })
    const half = begin + 'x-a: b\r\n'.repeat(10)
    const oldest = open(half).resume()
    await came(half.length)
    const others = [open(half).resume(), open(half, '127.0.0.2').resume()]
    await came(3 * half.length)
    t.same(cuts, [])
    for (const socket of [oldest, others[1]!]) socket.write(`x-b: ${'c'.repeat(10_000)}`)
    await came(3 * half.length + 2 * 10_005)
    t.same(cuts, [])
    for (let at = 0; at < 5; at++) open(`${half}x-b: ${'c'.repeat(8_000)}`).resume()
    await closed(oldest)
    t.equal(cuts[0], 'heads')
    t.equal(others[1]!.destroyed, false, 'of another address')
  })

t.test('each field of a head that is not whole counts by what it takes', async t => {
  const { cuts, open } = await guarded(t, () => {}, {
    limits: { heads: { all: 1_000_000, each: 60_000 } }
  })
  const oldest = open(`GET / HTTP/1.1\r\n${'a:b\r\n'.repeat(190)}`).resume()
  for (let at = 0; at < 2; at++) open(`GET / HTTP/1.1\r\n${'a:b\r\n'.repeat(190)}`).resume()
  await closed(oldest)
  t.same(cuts[0], 'heads')
})

t.test('a head that has become whole, or was left, counts no longer', async t => {
  const { came, connections, cuts, open } = await guarded(t, (_request, response) => response.end('x'), {
    limits: { heads: { all: 1_000_000, each: 20_000 } }
  })
  const [begin, end] = [REQUEST.slice(0, 20), REQUEST.slice(20)]
  for (let at = 0; at < 3; at++) {
    const socket = open(begin)
    await came(begin.length + at * REQUEST.length * 2)
    socket.write(end)
    await once(socket, 'data')
    socket.write(begin)
    await came(begin.length + REQUEST.length + at * REQUEST.length * 2)
    socket.destroy()
    await until(() => connections.size === 0)
    open(end)
  }
  t.same(cuts, [])
})

t.test('trailers are not kept', async t => {
  const requests: IncomingMessage[] = []
  const { open } = await guarded(t, (request, response) => {
    requests.push(request)
    request.resume().once('end', () => response.end('x'))
  })
  const socket = open(
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Late: yes\r\n\r\n'
  )
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200/)
  t.same(requests[0]!.rawTrailers, [])
  socket.write(REQUEST)
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200/)
  t.same(requests[1]!.rawHeaders, ['Host', 'localhost'])
})

t.test('an address has so many connections, and loses the longest unused for a new one', async t => {
  const { connections, cuts, open } = await guarded(t, (_request, response) => response.end('x'), {
    limits: { open: { all: 100, each: 3 } }
  })
  const [first, second, third] = ['', '', ''].map(text => open(text))
  await until(() => connections.size === 3)
  first!.write(REQUEST)
  await new Promise(resolve => first!.once('data', resolve))
  const gone = closed(second!.resume())
  const fourth = open('', '127.0.0.1')
  await gone
  t.same(cuts, ['crowded'])
  open('', '127.0.0.2')
  await until(() => connections.size === 4)
  t.same(
    [first, third, fourth].map(socket => socket!.destroyed),
    [false, false, false]
  )
})

t.test('connections of a proxy are not counted, and its callers are told apart', async t => {
  const begun: string[] = []
  const { connections, cuts, open } = await guarded(
    t,
    ({ headers }, response) => {
      begun.push(String(headers['x-caller']))
      connections.answer(response, 1000)
      response.end('x'.repeat(1000))
    },
    {
      limits: { open: { all: 2, each: 1 }, turns: { each: 1 } },
      isProxy: address => address === '127.0.0.1',
      callerOf: ({ headers }) => String(headers['x-caller'])
    }
  )
  const from = (caller: string) => `GET / HTTP/1.1\r\nHost: localhost\r\nX-Caller: ${caller}\r\n\r\n`
  for (let at = 0; at < 5; at++) open(from(at % 2 === 0 ? 'a' : 'b')).resume()
  await until(() => begun.length === 5)
  t.equal(connections.size, 5)
  t.same(cuts, [])
})

t.test('a connection of a proxy waits for no caller but the one that it brings', async t => {
  const begun: unknown[] = []
  const { open } = await guarded(
    t,
    (request, response) => {
      begun.push(request.headers['x-caller'])
      request.resume().on('end', () => response.end(String(request.headers['x-caller'])))
    },
    { isProxy: () => true, callerOf: ({ headers }) => String(headers['x-caller']) }
  )
  const from = (caller: string) => `POST / HTTP/1.1\r\nHost: localhost\r\nX-Caller: ${caller}\r\n`
  const shared = open(`${from('pours')}Transfer-Encoding: chunked\r\n\r\n${chunks(20_000, 33)}0\r\n\r\n`)
  let answers = ''
  shared.on('data', chunk => {
    answers += chunk
  })
  const goesOn = open(`${from('pours')}Transfer-Encoding: chunked\r\n\r\n`)
  const pour = () => {
    while (!goesOn.destroyed && goesOn.write(chunks(2_000, 33)));
  }
  goesOn.on('drain', pour).once('connect', pour)
  await until(() => answers.includes('pours'))
  shared.write(`${from('calls')}Content-Length: 5\r\n\r\n`)
  await until(() => begun.includes('calls'))
  shared.write('x'.repeat(5))
  await until(() => answers.includes('calls'))
  t.pass('answered, while the other pours on')
})

for (const [what, text] of [
  ['that expect something', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n'],
  ['without a host', 'GET / HTTP/1.1\r\nX: x\r\n\r\n']
] as const)
  t.test(`requests ${what} are refused, and count as any other`, async t => {
    let begun = 0
    const { cuts, open } = await guarded(t, () => begun++)
    let answer = ''
    const one = open(text).on('data', chunk => {
      answer += chunk
    })
    await closed(one)
    t.match(answer, /^HTTP\/1\.1 4(?:00|17) /)
    const many = open(text.repeat(connectionLimits.pipelined + 2)).resume()
    await closed(many)
    t.same(cuts, ['pipelined'])
    t.equal(begun, 0)
  })

t.test('what comes by another address is bounded as what comes by the first', async t => {
  const { connections, cuts, server } = await guarded(t, (_request, response) => response.end('x'))
  const { port } = server.address() as AddressInfo
  const faults: Error[] = []
  const other = listenToo(server, { host: '127.0.0.9', port }, error => faults.push(error))
  t.teardown(() => other.close())
  await until(() => other.listening)
  const socket = connect({ port, host: '127.0.0.9' }, () => socket.write(REQUEST)).on('error', () => {})
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  await until(() => answer.endsWith('x'))
  t.match(answer, /^HTTP\/1\.1 200 /)
  t.equal(connections.size, 1)
  socket.write(REQUEST.repeat(connectionLimits.pipelined + 2))
  await closed(socket)
  t.same(cuts, ['pipelined'])
  const taken = listenToo(server, { host: '127.0.0.9', port }, error => faults.push(error))
  await until(() => faults.length > 0)
  t.equal(taken.listening, false)
})

const LARGE = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n'
const pour = (socket: Socket, pieces: number) => {
  for (let at = 0; at < pieces; at++) socket.write(Buffer.alloc(64 * 1024))
}

t.test('of a body that nobody takes no more is read than fits, whatever comes beside it', async t => {
  const held = new Set<IncomingMessage>()
  const { open } = await guarded(t, request => held.add(request), { limits: { reads: 2 } })
  const callers = Array.from({ length: 8 }, () => open(LARGE))
  await until(() => held.size === callers.length)
  for (const caller of callers) pour(caller, 32)
  await sleep(1000)
  const kept = Math.max(...[...held].map(({ readableLength }) => readableLength))
  t.ok(kept > 0 && kept < 256 * 1024, `${kept} bytes of one`)
  const [taken] = held
  taken!.resume()
  await until(() => taken!.socket.bytesRead > 2_000_000)
})

t.test('who is paused in the turn in which it was to go on is not read', async t => {
  const { open, server } = await guarded(t, () => {})
  const taken = once(server, 'connection')
  const caller = open()
  const [socket] = (await taken) as [Socket]
  await sleep(50)
  socket.pause()
  socket.resume()
  socket.pause()
  await sleep(50)
  caller.write(LARGE)
  pour(caller, 16)
  await sleep(300)
  t.equal(socket.bytesRead, 0)
  socket.resume()
  await until(() => socket.bytesRead > LARGE.length)
})
