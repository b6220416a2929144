import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { chartHeap, madeUp, rawPost } from '../support/attack.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/* Callers who hang up before the forge has answered: HTTP/1.1 ends a request only together with its connection. */

const CALLS = 300
/** In which so many connections may be closed for callers of an address. */
const WINDOW_MS = 60_000

/** A forge that takes its time, and counts what it is asked and over how many connections. */
async function countedForge(t: Test, answer: RequestListener) {
  const state = { requests: 0, connections: new Set<unknown>(), origin: '' }
  const forge = createServer((request, response) => {
    state.requests++
    state.connections.add(request.socket)
    answer(request, response)
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    forge.closeAllConnections()
    forge.close()
  })
  state.origin = `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
  return state
}

const ANSWER_MS = 25

t.test('callers who hang up leave others the connections to the forge', async t => {
  const forge = await countedForge(t, (_request, response) => {
    setTimeout(() => response.writeHead(401, { 'content-type': 'application/json' }).end('{}'), ANSWER_MS)
  })
  const server = await startServer(t, {
    ...chartHeap,
    FORGE_API_URL: forge.origin,
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const port = Number(new URL(server.url).port)
  const began = performance.now()
  for (let call = 0; call < CALLS; call++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    let isOver = false
    const end = () => {
      isOver = true
    }
    socket
      .on('error', () => {})
      .on('data', end)
      .once('close', end)
    const before = forge.requests
    socket.write(rawPost(madeUp('one'), branch()))
    await Promise.all([sleep(10), until(() => forge.requests > before || isOver)])
    socket.resetAndDestroy()
  }
  t.ok(forge.requests > CALLS / 3, 'which the forge has got')
  few(t, forge, performance.now() - began)
  await server.stop('SIGKILL')
})

t.test('callers who leave files after a line of them leave others the connections, too', async t => {
  const file = Buffer.from('one line\n'.repeat(200_000))
  const forge = await countedForge(t, (_request, response) => void response.end(file))
  const server = await startServer(t, {
    ...chartHeap,
    FORGE_API_URL: forge.origin,
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const reader = caller(t, server, TOKEN)
  const first = { project_id: '1', path: 'long.txt', start_line: 1, end_line: 1 }
  const began = performance.now()
  for (let read = 0; read < CALLS; read++)
    t.match((await reader(call('get_file_contents', first))).text, /one line/)
  few(t, forge, performance.now() - began)
  await server.stop('SIGKILL')
})

type Counts = Pick<Awaited<ReturnType<typeof countedForge>>, 'requests' | 'connections'>

/** A slow machine takes several minutes, and each has its own. */
function few(t: Test, { requests, connections }: Counts, ms: number) {
  t.comment(`${requests} requests over ${connections.size} connections in ${Math.round(ms)} ms`)
  t.ok(connections.size < (requests / 4) * Math.ceil(ms / WINDOW_MS))
}
