import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { listen } from '../../support/listen.ts'
import { call, OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

// They wait more than they work.
t.jobs = 3

const ANNOUNCED = 4 * 1024 * 1024

const head = (token: string, length: string) =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nPrivate-Token: ${token}\r\n${length}\r\n\r\n`

async function listening(t: Test, settings: Record<string, string> = {}) {
  const server = await testServer(t, { PORT: '0', MAX_REQUESTS_PER_MINUTE: '0', ...settings })
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

t.test('an office whose bodies fill the room of its address is told that it is the address', async t => {
  const { send } = await listening(t)
  const first = send(head('made-up-0'.padEnd(20, 'x'), chunked) + beginning[chunked])
  for (let at = 1; at < 14; at++) send(head(`made-up-${at}`.padEnd(20, 'x'), chunked) + beginning[chunked])
  t.match(await first.answer, /large bodies of this address are being read/)
})

t.test('bodies that are announced and do not come are given up, and take no room from others', async t => {
  const { server, send } = await listening(t)
  const started = performance.now()
  const idle = Array.from({ length: 40 }, (_, at) =>
    send(`${head(`made-up-${at}`.padEnd(20, 'x'), announced)}{"a":`)
  )
  const large = request('ping', { pad: ' '.repeat(3_900_000) })
  for (let at = 0; at < 3; at++) t.equal((await post(server, { body: large })).statusCode, 200)
  // A request that takes too long as a whole is answered in other words.
  for (const { answer } of idle) t.match(await answer, /^HTTP\/1\.1 408 .*The body came too slowly/s)
  const took = performance.now() - started
  t.ok(took >= 4900, `${Math.round(took)} ms`)
})

const MUCH = 12 * 1024 * 1024

for (const [kind, begin, body, status] of [
  ['announced', head(TOKEN, `Content-Length: ${MUCH}`), ' '.repeat(MUCH), 413],
  ['in chunks', head(TOKEN, chunked), `${MUCH.toString(16)}\r\n${' '.repeat(MUCH)}\r\n0\r\n\r\n`, 413],
  ['of another type', head(TOKEN, `Content-Length: ${MUCH}`).replace('/json', '/xml'), ' '.repeat(MUCH), 415]
] as const)
  t.test(`a refused body may be written to its end, and the connection goes on: ${kind}`, async t => {
    const { send } = await listening(t)
    const { socket, answer } = send(begin + body)
    t.match(await answer, new RegExp(`^HTTP/1\\.1 ${status} `))
    const message = JSON.stringify(request('ping'))
    socket.write(head(TOKEN, `Content-Length: ${message.length}`) + message)
    const next = await new Promise(resolve => {
      socket.once('data', chunk => resolve(String(chunk)))
      socket.once('close', () => resolve('closed'))
    })
    t.match(next, /^HTTP\/1\.1 200 /)
  })

for (const [kind, token, length, body, status] of [
  ['announced', TOKEN, `Content-Length: ${MUCH}`, ' '.repeat(MUCH), 413],
  ['in chunks', TOKEN, chunked, `${MUCH.toString(16)}\r\n${' '.repeat(MUCH)}\r\n0\r\n\r\n`, 413],
  ['of a caller without a good token', 'x', `Content-Length: ${MUCH}`, ' '.repeat(MUCH), 401]
] as const)
  t.test(
    `a refused body may be written to its end by who asks for that of the connection: ${kind}`,
    async t => {
      const { send } = await listening(t)
      const { socket, answer } = send(head(token, `Connection: close\r\n${length}`))
      const broken = new Promise(resolve => socket.once('close', resolve))
      await once(socket, 'connect')
      const written = new Promise(resolve => socket.write(body, error => resolve(error ?? 'written')))
      t.equal(await written, 'written')
      t.match(await answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      t.equal(await broken, false, 'and ends')
    }
  )

for (const [what, body] of Object.entries({
  read: JSON.stringify(request('ping', { pad: ' '.repeat(1_000_000) })),
  refused: ' '.repeat(1_000_000)
})) {
  t.test(`the memory in which a body came is given back once it is ${what}`, async t => {
    const { server, send } = await listening(t)
    const pieces: Buffer[] = []
    server.server.prependListener('request', (incoming: IncomingMessage) => {
      const push = incoming.push.bind(incoming)
      incoming.push = (piece: Buffer | null) => {
        if (piece !== null) pieces.push(piece)
        return push(piece)
      }
    })
    t.match(await send(head(TOKEN, `Content-Length: ${body.length}`) + body).answer, /^HTTP/)
    t.ok(pieces.length > 1)
    t.ok(pieces.every(({ length }) => length === 0))
  })
}

t.test('what has been answered counts no more', async t => {
  const { port } = await listening(t)
  const headers = { 'content-type': 'application/json', 'private-token': TOKEN }
  const body = JSON.stringify(request('ping', { pad: ' '.repeat(3_900_000) }))
  for (let at = 0; at < 20; at++) {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body })
    t.equal(answer.status, 200)
    await answer.text()
  }
})

t.test(
  'a body counts by its values too, also a short one: they take twenty times their characters',
  async t => {
    const held: ServerResponse[] = []
    // A call that is held may be retried meanwhile, so calls are told apart by the branch they ask for.
    const asked = new Set<string>()
    const forge = await listen(t, ({ url }, response) => {
      held.push(response)
      asked.add(url!.slice(url!.lastIndexOf('/') + 1))
    })
    const { port } = await listening(t, { FORGE_API_URL: `${forge}/api/v4` })
    const answered = new Map<string, number>()
    const send = async (values: number, branch: string) => {
      const { status } = await fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'private-token': TOKEN },
        body: JSON.stringify({
          ...call('get_branch', { project_id: '1', branch_name: branch }),
          pad: Array(values).fill({})
        })
      })
      answered.set(branch, status)
      return status
    }
    const long: Promise<number>[] = []
    /** Sends bodies that count as a megabyte each, in 30 KB, until one has no room. */
    const fill = async () => {
      for (let more = 0; more < 64; more++) {
        const branch = `long-${long.length}`
        long.push(send(9_900, branch))
        await until(() => asked.has(branch) || answered.has(branch))
        if (!asked.has(branch)) return answered.get(branch)
      }
      throw new Error('64 of a megabyte have room')
    }
    t.equal(await fill(), 503)
    t.ok(long.length > 12, 'of sixteen megabytes of one caller')
    const short = new Map<string, Promise<number>>()
    const someAreRefused = async () => {
      // On a busy machine calls may have ended meanwhile.
      await fill()
      // What is left has room for some of 64 KB.
      for (let more = 0; more < 40; more++) {
        const own = `short-${short.size}`
        short.set(own, send(500, own))
      }
      const isRefused = () => [...short.keys()].some(own => answered.get(own) === 503)
      await until(() => isRefused() || [...short.keys()].every(own => asked.has(own) || answered.has(own)))
      return isRefused()
    }
    await until(someAreRefused)
    const ended = setInterval(() => {
      for (const response of held.splice(0)) response.end('{"name":"main"}')
    }, 5)
    t.teardown(() => clearInterval(ended))
    t.same(new Set(await Promise.all(long)), new Set([200, 503]))
    t.same(new Set(await Promise.all(short.values())), new Set([200, 503]), 'some of those below 2 KB')
    t.equal(await send(9_900, 'last'), 200)
  }
)

t.test('bodies count while a slow forge is told of them, also when their caller has gone', async t => {
  const held: ServerResponse[] = []
  const forge = await listen(t, (request, response) => {
    request.resume()
    if (request.method === 'POST') held.push(response)
    else response.end('{"name":"main"}')
  })
  const { port } = await listening(t, { FORGE_API_URL: `${forge}/api/v4` })
  const body = JSON.stringify(
    call('create_issue', { project_id: '1', title: 'x', description: 'd'.repeat(1e6) })
  )
  const send = (token: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'private-token': token },
      body,
      ...(signal && { signal })
    }).then(async response => ({ status: response.status, text: await response.text() }))
  const gone = new AbortController()
  const calls = Array.from({ length: 16 }, () => send(TOKEN, gone.signal).catch(() => undefined))
  while (held.length < 16) await new Promise(resolve => setTimeout(resolve, 10))
  gone.abort()
  await Promise.all(calls)
  const refused = await send(TOKEN)
  t.equal(refused.status, 503)
  t.match(refused.text, /calls of this caller with large bodies are under way/)
  const other = send(OTHER_TOKEN)
  while (held.length < 17) await new Promise(resolve => setTimeout(resolve, 10))
  for (const response of held) response.end('{"iid":1}')
  t.equal((await other).status, 200)
  const again = send(TOKEN)
  while (held.length < 18) await new Promise(resolve => setTimeout(resolve, 10))
  held[17]!.end('{"iid":2}')
  t.equal((await again).status, 200)
})

for (const [what, type, status] of [
  ['too large', 'application/json', 413],
  ['of another type', 'text/plain', 415]
] as const)
  t.test(`bodies that were refused as ${what} and come on and on end nothing, and take no room`, async t => {
    const { server, send } = await listening(t)
    const beyond = 5 * 1024 * 1024
    const text = `${head(TOKEN, chunked).replace('application/json', type)}${beyond.toString(16)}\r\n${' '.repeat(beyond)}\r\n`
    const poured = Array.from({ length: 9 }, () => send(text))
    // Where they come side by side, some make room for others.
    for (const { answer } of poured) t.match(await answer, new RegExp(`^HTTP/1\\.1 (?:${status}|503) `))
    for (const { socket } of poured) socket.write(beginning[chunked]!)
    await new Promise(resolve => setTimeout(resolve, 200))
    const large = request('ping', { pad: ' '.repeat(3_900_000) })
    t.equal((await post(server, { body: large })).statusCode, 200)
  })

t.test('calls and large calls are refused where all that is at work has no room for them', async t => {
  const { server } = await listening(t)
  const large = request('ping', { pad: ' '.repeat(200_000) })
  const gives = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(address =>
    server.atWork.take({ address, credential: undefined }, 32 * 1024 * 1024)
  )
  server.atWork.take({ address: '127.0.0.1', credential: undefined }, 10 * 1024 * 1024 - 50_000)
  t.equal((await post(server, { body: request('ping') })).statusCode, 200)
  const refused = await post(server, { body: large })
  t.equal(refused.statusCode, 503)
  t.match(refused.body, /calls of this address and of others with large bodies are under way/)
  for (const give of gives) give!()
  t.equal((await post(server, { body: large })).statusCode, 200)
})
