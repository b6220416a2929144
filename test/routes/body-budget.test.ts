import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { post, request, TOKEN, testServer } from '../support/server.ts'

const ANNOUNCED = 4 * 1024 * 1024
const FITTING = 16

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

/** A body of which only the beginning comes, and nothing else is said of it than in `length`. */
const half = (at: number, length: string, start: string) =>
  head(`made-up-${at}`.padEnd(20, 'x'), length) + start

const announced = `Content-Length: ${ANNOUNCED}`
const chunked = 'Transfer-Encoding: chunked'
const largeChunk = `${(70_000).toString(16)}\r\n${' '.repeat(70_000)}\r\n`

for (const [name, length, start] of [
  ['announced', announced, '{"a":'],
  ['chunked', chunked, largeChunk]
] as const) {
  t.test(`large bodies under way (${name}) are bounded, and small ones go on`, async t => {
    const { server, sockets, send } = await listening(t)
    let refused = 0
    const answers = Array.from({ length: FITTING + 3 }, async (_, at) => {
      const text = await send(half(at, length, start)).answer
      if (text !== '') refused++
      return text
    })
    await Promise.any(answers)
    const large = JSON.stringify(request('ping', { pad: ' '.repeat(100_000) }))
    const busy = await post(server, { body: large })
    t.equal(busy.statusCode, 503)
    t.match(busy.json(), { jsonrpc: '2.0', error: { message: /large bodies/ } })
    t.equal(busy.headers['retry-after'], '10')
    t.equal((await post(server, { body: request('ping') })).statusCode, 200)
    const small = JSON.stringify(request('ping'))
    const chunk = `${small.length.toString(16)}\r\n${small}\r\n0\r\n\r\n`
    t.match(await send(head(TOKEN, chunked) + chunk).answer, /^HTTP\/1\.1 200/)
    t.equal(refused, 3)

    for (const socket of sockets) socket.destroy()
    const end = performance.now() + 2000
    while ((await post(server, { body: large })).statusCode === 503 && performance.now() < end)
      await new Promise(resolve => setTimeout(resolve, 5))
    t.equal((await post(server, { body: large })).statusCode, 200, 'closed connections hold nothing')
  })
}

t.test('what has been read counts no more', async t => {
  const { port } = await listening(t)
  const headers = { 'content-type': 'application/json', 'private-token': TOKEN }
  const body = JSON.stringify(request('ping', { pad: ' '.repeat(3_900_000) }))
  for (let at = 0; at < FITTING + 4; at++) {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body })
    t.equal(answer.status, 200)
    await answer.text()
  }
})
