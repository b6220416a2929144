import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { captureLog } from '../../support/log.ts'
import { TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

const HOST = 'Host: localhost\r\n'
const POST = `POST /mcp HTTP/1.1\r\n${HOST}Private-Token: ${TOKEN}\r\nContent-Type: application/json\r\n`

/** A server that listens, its log, and connections to it, each at both ends. */
async function listening(t: Test, settings: Record<string, string> = {}) {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info', ...settings }, log.stream)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const open = async () => {
    const accepted = once(server.server, 'connection') as Promise<[Socket]>
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
    const [there] = await accepted
    return { socket, there, closed: new Promise<void>(resolve => there.once('close', () => resolve())) }
  }
  const counted = (reason: string) => server.metrics.rejected.total(([counts]) => counts === reason)
  return { server, log, open, counted }
}

/** As Node does of a request that has not arrived in its time. */
const late = () => Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

for (const [what, sent, line] of [
  [
    'HTTP/2 without TLS',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    { status: 400, reason: 'no_http', hint: /HTTP\/2/ }
  ],
  [
    'the PROXY protocol',
    `PROXY TCP4 192.0.2.1 192.0.2.2 51000 3000\r\nGET /livez HTTP/1.1\r\n${HOST}\r\n`,
    { status: 400, reason: 'no_http', hint: /PROXY protocol/ }
  ],
  [
    'version 2 of the PROXY protocol',
    '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c',
    { status: 400, reason: 'no_http', hint: /PROXY protocol/ }
  ],
  [
    'two lengths of a body',
    `POST /mcp HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
    { status: 400, reason: 'no_http', hint: 'Duplicate Content-Length' }
  ],
  [
    'a head that is too long',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    { status: 431, reason: 'headers' }
  ]
] as const)
  t.test(`a refusal of ${what} leaves a line, and is counted`, async t => {
    const { log, open, counted } = await listening(t)
    const { socket, closed } = await open()
    socket.resume().write(sent)
    await closed
    t.match(log.lines('request refused'), [{ ...line, address: '127.0.0.1' }])
    t.equal(counted(line.reason), 1)
  })

for (const [what, head, line] of [
  ['more headers than are read', `${HOST}${'X: x\r\n'.repeat(199)}`, { status: 431, reason: 'headers' }],
  ['no host', '', { status: 400, reason: 'no_http', hint: 'The request has no Host header.' }],
  [
    'an expectation that is not met',
    `${HOST}Expect: x\r\n`,
    { status: 417, reason: 'expect', hint: /Expect/ }
  ]
] as const)
  t.test(`a request with ${what} is refused with a line, and counted, as its caller's`, async t => {
    const { log, open, counted } = await listening(t, { MCP_TRUST_PROXY: '127.0.0.1' })
    const { socket } = await open()
    socket.resume().write(`GET / HTTP/1.1\r\nX-Forwarded-For: 203.0.113.9\r\n${head}\r\n`)
    await until(() => log.lines('request refused').length > 0)
    t.match(log.lines('request refused'), [{ ...line, address: '203.0.113.9' }])
    t.equal(counted(line.reason), 1)
  })

t.test('a body that does not arrive in time is one refusal, with one line', async t => {
  const { server, log, open, counted } = await listening(t)
  const { socket, there, closed } = await open()
  const begun = once(server.server, 'request')
  socket.resume().write(`${POST}Content-Length: 20\r\n\r\n{}`)
  await begun
  await new Promise(setImmediate)
  server.server.emit('clientError', late(), there)
  await closed
  await new Promise(setImmediate)
  t.match(log.lines('request refused'), [{ status: 408, reason: 'slow' }])
  t.equal(log.lines('request refused').length, 1)
  t.equal(counted('slow'), 1)
})

t.test('a connection on which nothing was sent is refused nothing', async t => {
  const { server, log, open, counted } = await listening(t)
  const { socket, there, closed } = await open()
  socket.resume()
  server.server.emit('clientError', late(), there)
  await closed
  t.same(log.lines('request refused'), [])
  t.equal(counted('slow'), 0)
})

for (const [leaves, line] of [
  ['end', { status: 400, reason: 'no_http', hint: /announced a longer body/ }],
  ['resetAndDestroy', { status: 499 }]
] as const)
  t.test(
    `a caller who leaves within a small body is not said to have sent what is no JSON (${leaves})`,
    async t => {
      const { server, log, open } = await listening(t)
      const { socket, closed } = await open()
      const begun = once(server.server, 'request')
      socket.write(`${POST}Content-Length: 20\r\n\r\n{}`)
      await begun
      await new Promise(setImmediate)
      socket.resume()[leaves]()
      await closed
      await new Promise(setImmediate)
      const [refusal] = log.lines('request refused')
      t.match(refusal, line)
      t.not(refusal?.reason, 'json')
    }
  )

t.test('a late request that is there before it is refused is answered, and so is the next one', async t => {
  const { server, log, open } = await listening(t)
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const head = `${POST}Accept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n`
  const all: Awaited<ReturnType<typeof open>>[] = []
  while (all.length < 12) all.push(await open())
  const sent = head + body.slice(0, -1)
  for (const { socket } of all) socket.write(sent)
  await until(() => all.every(({ there }) => there.bytesRead === sent.length))
  // What is written now is read before the next turn.
  await new Promise(setImmediate)
  for (const { socket } of all) socket.write(body.slice(-1))
  for (const { there } of all) server.server.emit('clientError', late(), there)
  const statuses = await Promise.all(
    all.map(async ({ socket }) => {
      const [answer] = await once(socket, 'data')
      return String(answer).slice(9, 12)
    })
  )
  const { socket } = all[statuses.indexOf('200')]!
  socket.write(head + body)
  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1\.1 200 /)
  t.equal(log.lines('request refused').length, statuses.filter(status => status === '408').length)
})

t.test('of an address a few late requests are refused in a turn of the event loop', async t => {
  const { server, log, open } = await listening(t)
  const all: Awaited<ReturnType<typeof open>>[] = []
  while (all.length < 12) all.push(await open())
  for (const { socket } of all) socket.resume().write('GET / HTTP/1.1\r\n')
  await until(() => all.every(({ there }) => there.bytesRead > 0))
  for (const { there } of all) server.server.emit('clientError', late(), there)
  t.equal(all.filter(({ there }) => there.writableEnded).length, 4)
  await Promise.all(all.map(({ closed }) => closed))
  t.equal(log.lines('request refused').length, 12)
})
