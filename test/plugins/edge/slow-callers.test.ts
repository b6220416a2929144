import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startForge } from '../../forge/index.ts'
import { oauthSettings } from '../../support/oauth.ts'
import { TOKEN, testServer } from '../../support/server.ts'

/** A listening server whose patience is short; how often it looks is as it is in service. */
async function impatientServer(t: Test) {
  const server = await testServer(t, { PORT: '0' })
  server.server.headersTimeout = 300
  server.server.requestTimeout = 600
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  return { server, port: typeof address === 'object' ? address!.port : 0 }
}

/** Sends a text, then one byte now and then; gives what came back until the connection was closed. */
function drip(port: number, start: string): Promise<{ text: string; ms: number }> {
  return new Promise(resolve => {
    const started = performance.now()
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let timer: NodeJS.Timeout | undefined
    socket.on('connect', () => {
      socket.write(start)
      timer = setInterval(() => socket.write('x'), 50)
    })
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ text, ms: performance.now() - started })
    })
  })
}

t.test('headers and bodies that drip are cut, and others are served meanwhile', async t => {
  const { server, port } = await impatientServer(t)
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nPrivate-Token: ${TOKEN}\r\n`
  const slow = [
    drip(port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
    drip(port, `${head}Content-Length: 100000\r\n\r\n{"jsonrpc":`)
  ]
  t.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200)
  for (const { text, ms } of await Promise.all(slow)) {
    t.match(text, /^HTTP\/1\.1 408 /)
    t.ok(ms < 15_000, `${Math.round(ms)} ms: before they would be cut in service`)
  }
  t.equal((await server.inject('/metrics')).json().requestsProcessed, 0)
})

t.test('in service headers have 15 seconds, a request 30, and a kept connection what is set', async t => {
  const server = await testServer(t)
  const { headersTimeout, requestTimeout, keepAliveTimeout } = server.server
  t.same(
    { headersTimeout, requestTimeout, keepAliveTimeout },
    {
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 72_000
    }
  )
  const longer = await testServer(t, { KEEP_ALIVE_SECONDS: '620' })
  t.equal(longer.server.keepAliveTimeout, 620_000)
})

for (const [path, type, body] of [
  ['/mcp', 'application/json', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ['/register', 'application/json', '{"redirect_uris":["http://127.0.0.1/cb"]}'],
  ['/token', 'application/x-www-form-urlencoded', 'grant_type=refresh_token']
] as const)
  t.test(`a body of ${path} whose end comes late is worked for in a turn of its address`, async t => {
    const forge = await startForge()
    t.teardown(() => forge.close())
    const settings = path === '/mcp' ? {} : oauthSettings(forge)
    const server = await testServer(t, { ...settings, PORT: '0' })
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { connections } = server
    const bodyTurn = connections.bodyTurn.bind(connections)
    const waits: boolean[] = []
    connections.bodyTurn = request => {
      const turn = bodyTurn(request)
      waits.push(turn !== undefined)
      return turn
    }
    const { port } = server.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nPrivate-Token: ${TOKEN}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(head + body.slice(0, -1))
    await once(server.server, 'request')
    // It begins in the turn after the one in which it came.
    await setImmediate()
    await setImmediate()
    socket.write(body.slice(-1))
    await once(socket, 'data')
    t.same(waits, [true])
  })
