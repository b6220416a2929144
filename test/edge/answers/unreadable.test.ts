import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import t, { type Test } from 'tap'
import { refuseTunnel } from '../../../src/edge/answers/refused-tunnels.ts'
import { refuseUnreadable } from '../../../src/edge/answers/unreadable.ts'
import { captureLog } from '../../support/log.ts'
import { testServer } from '../../support/server.ts'

const refuse = (error: Error, socket: unknown) => void refuseUnreadable(error, socket as Socket, true)

async function listening(t: Test, listener: RequestListener): Promise<number> {
  const server = createServer(listener).on('clientError', refuse)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

/** All that comes back before the connection ends. */
async function answerTo(port: number, ...sent: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', piece => (text += piece)).on('error', () => {})
  const closed = once(socket, 'close')
  for (const [at, part] of sent.entries()) {
    if (at > 0) await once(socket, 'data')
    socket.write(part)
  }
  await closed
  return text
}

for (const [what, sent, status, message] of [
  ['a head that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, /16 KiB/],
  [
    'a control character in a header',
    'GET / HTTP/1.1\r\nHost: a\r\nX: \u0001\r\n\r\n',
    400,
    /control character/
  ],
  [
    'too many headers',
    `GET / HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(205)}\r\n`,
    431,
    /more than 200 headers/
  ]
] as const)
  t.test(`the answer to ${what} tells a proxy that the connection ends`, async t => {
    const server = await testServer(t)
    await server.listen({ host: '127.0.0.1', port: 0 })
    const answer = await answerTo((server.server.address() as AddressInfo).port, sent)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    t.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
    t.match(head, /^connection: close$/im)
    t.match(JSON.parse(body), { statusCode: status, message })
  })

const HEAD = 'POST /mcp HTTP/1.1\r\nHost: a\r\n'
const BREAK = /^A header has a line break in its value: .* Windows line ends/
const NAME = /^A header is none: .* blank, a quotation mark or a byte order mark/

t.test('a header that cannot be read is told from what is no HTTP, with what is often behind it', async t => {
  const server = await testServer(t)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  for (const [header, says] of [
    ['Private-Token: abc\r', BREAK],
    ['Private-Token: abc\n', BREAK],
    ['Private-Token: abc\ndef', BREAK],
    ['Private-Token: abc\r\n def', BREAK],
    ['Private-Token: abc\r\ndef', NAME],
    ['Private Token: abc', NAME],
    ['"Private-Token: abc"', NAME],
    ['\u{feff}Private-Token: abc', NAME],
    ['Private-Token: a\u0001', /^A header has a control character in its value\./]
  ] as const) {
    const answer = await answerTo(port, `${HEAD}${header}\r\nContent-Length: 0\r\n\r\n`)
    t.match(JSON.parse(answer.split('\r\n\r\n')[1]!), { statusCode: 400, message: says }, header)
  }
})

t.test('what comes after a body that was announced too short is no header', async t => {
  const server = await testServer(t)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  t.match(await answerTo(port, `${HEAD}Content-Length: 2\r\n\r\n{}{}`), /no HTTP request, or comes after one/)
})

const TUNNEL = 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'

for (const [whose, settings] of [
  ['a caller', {}],
  ['a proxy', { MCP_TRUST_PROXY: '127.0.0.1' }]
] as const)
  t.test(`a tunnel that ${whose} asks for is refused with an answer, which leaves a line`, async t => {
    const log = captureLog()
    const server = await testServer(t, { LOG_LEVEL: 'info', ...settings }, log.stream)
    await server.listen({ host: '127.0.0.1', port: 0 })
    const answer = await answerTo((server.server.address() as AddressInfo).port, TUNNEL)
    t.match(answer, /^HTTP\/1\.1 405 /)
    t.match(answer, /^allow: \r$/im)
    t.match(answer, /^connection: close\r$/im)
    t.match(log.lines('request refused'), [{ status: 405, reason: 'method', address: '127.0.0.1' }])
  })

t.test('a tunnel is asked for behind a request that waits: nothing is written into its answer', async t => {
  const refusers = { isProxy: () => true, callerOf: () => undefined, onRefused: () => t.fail() }
  const server = createServer(() => {}).on('connect', (request, stream) =>
    refuseTunnel(request, stream as Socket, refusers)
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  t.equal(await answerTo(port, `GET / HTTP/1.1\r\nHost: a\r\n\r\n${TUNNEL}`), '')
})

t.test('nothing is written into an answer that has begun', async t => {
  const port = await listening(t, (_request, response) => response.writeHead(200).write('begun'))
  const answer = await answerTo(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'nonsense\r\n\r\n')
  t.match(answer, /^HTTP\/1\.1 200 /)
  t.notMatch(answer, /400/)
})

const tooLong = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`

/** A connection whose head was refused, at both ends: nothing has closed it yet but the server's answer. */
async function refused(t: Test) {
  const server = createServer(() => {}).on('clientError', refuse)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.teardown(() => socket.destroy())
  const [there] = await accepted
  const closed = new Promise<void>(resolve => there.once('close', () => resolve()))
  const ended = once(socket.resume(), 'end')
  socket.write(tooLong)
  await ended
  socket.on('error', () => {})
  return { socket, there, closed }
}

t.test('what is sent behind a head that is refused is read, or it would reset the connection', async t => {
  const { socket, there, closed } = await refused(t)
  socket.end('x'.repeat(500_000))
  await closed
  t.equal(there.bytesRead, tooLong.length + 500_000)
})

t.test('who sends much more behind it is cut off', async t => {
  const { socket, there, closed } = await refused(t)
  socket.write('x'.repeat(20_000_000))
  await closed
  t.ok(there.bytesRead < 2_000_000, `${there.bytesRead} bytes`)
})

t.test('who does not end the connection is cut off', async t => {
  const { there, closed } = await refused(t)
  await closed
  t.ok(there.destroyed)
})

for (const [whose, settings, isRead] of [
  ['a caller', {}, false],
  ['a proxy', { MCP_TRUST_PROXY: '127.0.0.1' }, true]
] as const)
  t.test(
    `of ${whose} what follows is ${isRead ? 'read' : 'not'}, as ${isRead ? 'others use' : 'nobody else uses'} its connection`,
    async t => {
      const server = await testServer(t, settings)
      await server.listen({ host: '127.0.0.1', port: 0 })
      const accepted = once(server.server, 'connection') as Promise<[Socket]>
      const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
      t.teardown(() => socket.destroy())
      const [there] = await accepted
      const closed = once(there, 'close')
      socket.write(tooLong)
      await once(socket, 'data')
      socket.end('x'.repeat(500_000))
      await closed
      t.equal(there.bytesRead > 400_000, isRead, `${there.bytesRead} bytes`)
    }
  )

t.test('a connection on which an answer waits that nobody reads is closed at once', t => {
  const socket = new Duplex({ read() {}, write() {} }).on('error', () => {})
  socket.write('an answer')
  t.equal(refuseUnreadable(new Error('nonsense'), socket as Socket, true), undefined)
  t.ok(socket.destroyed)
  t.end()
})
