import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { OTHER_TOKEN, post, request, TOKEN, testServer } from '../support/server.ts'

const ANNOUNCED = 4 * 1024 * 1024

const head = (token: string, length: string) =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nPrivate-Token: ${token}\r\n${length}\r\n\r\n`

async function listening(t: Test) {
  const server = await testServer(t, { PORT: '0', MAX_REQUESTS_PER_MINUTE: '0' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  const port = typeof address === 'object' ? address!.port : 0
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  /** Sends a text; `answer` is what comes back first. */
  const send = (text: string) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    sockets.push(socket)
    const answer = new Promise<string>(resolve => {
      socket.once('data', chunk => resolve(String(chunk)))
      socket.on('error', () => resolve(''))
    })
    return { socket, answer }
  }
  return { server, port, sockets, send }
}

const announced = `Content-Length: ${ANNOUNCED}`
const chunked = 'Transfer-Encoding: chunked'
const half = 2 * 1024 * 1024

/** The first half of a body of 4 MiB. */
const beginning = {
  [announced]: ' '.repeat(half),
  [chunked]: `${half.toString(16)}\r\n${' '.repeat(half)}\r\n`
}

for (const [length, start] of Object.entries(beginning)) {
  t.test(`a credential's large bodies under way are bounded, and it loses the oldest: ${length}`, async t => {
    const { server, send } = await listening(t)
    const first = send(head(TOKEN, length) + start)
    for (let at = 0; at < 9; at++) send(head(TOKEN, length) + start)
    const answer = await first.answer
    t.match(answer, /^HTTP\/1\.1 503 /)
    t.match(answer, /large bodies of this caller/)
    t.match(answer, /\r\nretry-after: 10\r\n/i)
    const large = request('ping', { pad: ' '.repeat(100_000) })
    t.equal((await post(server, { body: large, token: OTHER_TOKEN })).statusCode, 200)
    t.equal((await post(server, { body: large })).statusCode, 200)
  })
}

t.test('bodies that are announced and do not come are given up, and take no room from others', async t => {
  const { server, send } = await listening(t)
  const started = performance.now()
  const idle = Array.from({ length: 40 }, (_, at) =>
    send(`${head(`made-up-${at}`.padEnd(20, 'x'), announced)}{"a":`)
  )
  const large = request('ping', { pad: ' '.repeat(3_900_000) })
  for (let at = 0; at < 3; at++) t.equal((await post(server, { body: large })).statusCode, 200)
  for (const { answer } of idle) t.match(await answer, /^HTTP\/1\.1 408 /)
  const took = performance.now() - started
  t.ok(took >= 4900 && took < 25_000, `${Math.round(took)} ms`)
})

t.test('what has been read counts no more', async t => {
  const { port } = await listening(t)
  const headers = { 'content-type': 'application/json', 'private-token': TOKEN }
  const body = JSON.stringify(request('ping', { pad: ' '.repeat(3_900_000) }))
  for (let at = 0; at < 20; at++) {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body })
    t.equal(answer.status, 200)
    await answer.text()
  }
})
