import { connect, type Socket } from 'node:net'
import t from 'tap'
import { chartHeap, madeUp, rawPost } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { branch, residentMb } from '../support/tenants.ts'

/* Bodies that are sent behind calls that last, and that nobody takes before those are over. */

const CONNECTIONS = 60
const SECONDS = 6

t.test('bodies that wait behind calls of made-up tokens are left to those who send them', async t => {
  const home = await listen(t, () => {})
  const server = await startServer(t, { ...chartHeap, FORGE_API_URL: home, MAX_REQUESTS_PER_MINUTE: '0' })
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const before = residentMb(server)
  const piece = Buffer.alloc(64 * 1024, 'a')
  const endless = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000000\r\n\r\n'
  for (let at = 0; at < CONNECTIONS; at++) {
    const socket = connect({
      port: Number(new URL(server.url).port),
      host: '127.0.0.1',
      localAddress: '127.0.0.2'
    })
    sockets.push(socket.on('error', () => {}))
    const pour = (): void => {
      while (socket.write(piece) && socket.writableLength < 1_000_000);
      socket.once('drain', pour)
    }
    socket.write(rawPost(madeUp(at), branch()) + endless)
    pour()
  }
  await new Promise(resolve => setTimeout(resolve, SECONDS * 1000))
  const more = residentMb(server) - before
  t.comment(`${more} MB more`)
  t.ok(more < 120, `${more} MB more`)
})
