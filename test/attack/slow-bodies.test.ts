import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chartHeap, madeUp, mute } from '../support/attack.ts'
import { yardstick } from '../support/event-loop.ts'
import { startServer } from '../support/process.ts'
import { request, TOKEN } from '../support/server.ts'
import { caller, meanwhile, residentMb } from '../support/tenants.ts'
import { longestTurn, tellsTurns } from '../support/turns.ts'

/* Bodies that are announced and do not come, or come a byte at a time. */

const head = (token: string, length: string) =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nPrivate-Token: ${token}\r\n${length}\r\n\r\n`

t.test('500 connections that announce 4 MiB and send nothing refuse nobody a large body', async t => {
  const server = await startServer(t, { ...chartHeap, MAX_REQUESTS_PER_MINUTE: '0' })
  const tenant = caller(t, server, TOKEN)
  const large = request('ping', { pad: ' '.repeat(100_000) })
  const texts = Array.from({ length: 500 }, (_, at) => `${head(madeUp(at), 'Content-Length: 4194304')}{`)
  const { open } = await mute(t, server.url, texts)
  const { failures, calls } = await meanwhile(
    () => tenant(large),
    (async () => {
      // Where the machine is so busy that one is refused for that, its body may still come for half a minute, and what it
      // was told be read for another.
      for (const end = performance.now() + 75_000; open() > 0 && performance.now() < end; ) await sleep(500)
    })()
  )
  t.same(failures, [])
  t.ok(calls > 0, `${calls} calls`)
  t.equal(open(), 0)
})

t.test('bodies in pieces of a byte do not take the memory', async t => {
  const server = await startServer(t, { ...chartHeap, MAX_REQUESTS_PER_MINUTE: '0' })
  const tenant = caller(t, server, TOKEN)
  const pieces = '1\r\nx\r\n'.repeat(300_000)
  const attack = mute(
    t,
    server.url,
    Array.from({ length: 20 }, (_, at) => head(madeUp(at), 'Transfer-Encoding: chunked') + pieces)
  )
  const { failures } = await meanwhile(
    () => tenant(request('ping')),
    attack.then(() => sleep(3000))
  )
  t.same(failures, [])
  t.comment(`${residentMb(server)} MiB`)
  t.equal(server.child.exitCode, null)
})

/** For so long, and on a slow machine until there were as many. */
const [POURED_MS, POURED] = [3_000, 20] as const

for (const [path, what] of [
  ['GET /livez', 'a body that nobody wants'],
  ['POST /mcp', 'a body without a token']
])
  t.test(`${what}, poured in crumbs over new connections, holds nobody up`, async t => {
    const server = await startServer(t, { ...tellsTurns(chartHeap), MAX_REQUESTS_PER_MINUTE: '0' })
    const tenant = caller(t, server, TOKEN)
    const { port } = new URL(server.url)
    const crumbs = `${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(50_000)}`
    const end = performance.now() + POURED_MS
    let poured = 0
    const pour = () =>
      new Promise<void>(resolve => {
        const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' })
        socket.on('error', () => {}).on('close', () => resolve())
        socket.resume()
        socket.write(crumbs)
      })
    const again = async () => {
      for (; performance.now() < end || poured < POURED; poured++) await pour()
    }
    await tenant(request('ping'))
    await longestTurn(server)
    const { failures } = await meanwhile(
      () => tenant(request('ping')),
      Promise.all([again(), again(), again(), again()])
    )
    const turn = await longestTurn(server)
    const ten = await yardstick()
    t.comment(`${poured} connections, the longest turn ${turn} ms, the yardstick ${ten.toFixed(1)} ms`)
    t.same(failures, [])
    // A collection of what nine hundred connections leave is in it: two to four yardsticks on an idle machine.
    t.ok(turn < 6 * ten, `${turn} ms`)
    await server.stop('SIGKILL')
  })
