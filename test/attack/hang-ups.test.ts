import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chartHeap, madeUp, rawPost } from '../support/attack.ts'
import { startServer } from '../support/process.ts'
import { branch } from '../support/tenants.ts'

/* Callers who hang up before the forge has answered: HTTP/1.1 ends a request only together with its connection. */

const CALLS = 300
const ANSWER_MS = 25

t.test('callers who hang up leave others the connections to the forge', async t => {
  let requests = 0
  const connections = new Set<unknown>()
  const forge = createServer(({ socket }, response) => {
    requests++
    connections.add(socket)
    setTimeout(() => response.writeHead(401, { 'content-type': 'application/json' }).end('{}'), ANSWER_MS)
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    forge.closeAllConnections()
    forge.close()
  })
  const server = await startServer(t, {
    ...chartHeap,
    FORGE_API_URL: `http://127.0.0.1:${(forge.address() as AddressInfo).port}`,
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const port = Number(new URL(server.url).port)
  for (let call = 0; call < CALLS; call++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    socket.on('error', () => {})
    socket.write(rawPost(madeUp('one'), branch()))
    await sleep(10)
    socket.resetAndDestroy()
  }
  t.comment(`${requests} requests over ${connections.size} connections`)
  t.ok(requests > CALLS / 3, 'which the forge has got')
  t.ok(connections.size < requests / 4)
  await server.stop('SIGKILL')
})
