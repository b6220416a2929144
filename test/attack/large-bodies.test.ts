import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chartHeap, madeUp, rawPost } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { branch, caller, meanwhile, residentMb } from '../support/tenants.ts'

/* Bodies that take long to read, as many as come through. */

const SECONDS = 5
/**
 * What the tenant's calls in those seconds are at least of those in two calm ones: a body is read in the time of a few,
 * and sixteen wait.
 */
const LEFT = 0.1

t.test('large bodies of made-up tokens leave the processor to others', async t => {
  const forge = await listen(t, (_request, response) => response.end('{"name":"main"}'))
  const server = await startServer(t, { ...chartHeap, FORGE_API_URL: forge, MAX_REQUESTS_PER_MINUTE: '0' })
  const { port } = new URL(server.url)
  // As many values as may be, of as many characters that have to be looked at each.
  const values = Array.from({ length: 19_000 }, () => '\u0001'.repeat(25))
  const text = Buffer.from(rawPost(madeUp(1), { jsonrpc: '2.0', id: 1, method: 'ping', params: { values } }))
  let until = 0
  let answered = 0
  const noise = async () => {
    while (performance.now() < until) {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' })
      socket.on('error', () => {})
      t.teardown(() => socket.destroy())
      await once(socket, 'connect').catch(() => {})
      while (!socket.destroyed && performance.now() < until) {
        socket.write(text)
        await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => {})
        answered++
      }
      socket.destroy()
    }
  }
  const tenant = caller(t, server, TOKEN)
  const calm = await meanwhile(() => tenant(branch()), new Promise(resolve => setTimeout(resolve, 2000)))
  until = performance.now() + SECONDS * 1000
  const { failures, calls, p99 } = await meanwhile(
    () => tenant(branch()),
    Promise.all(Array.from({ length: 16 }, noise))
  )
  t.comment(
    `${(text.length / 1e6).toFixed(1)} MB, ${answered} answered, p99 ${calm.p99} ms in calm, ${p99} ms in the attack`
  )
  t.same(failures, [])
  t.ok(answered > 0)
  t.ok(calls > LEFT * calm.calls, `${calls} calls, and ${calm.calls} in calm`)
})

t.test('bodies whose senders leave while they wait to be read do not take the memory', async t => {
  const server = await startServer(t, { ...chartHeap, MAX_REQUESTS_PER_MINUTE: '0' })
  const { port } = new URL(server.url)
  const ping = (params: object) =>
    Buffer.from(rawPost(madeUp(1), { jsonrpc: '2.0', id: 1, method: 'ping', params }))
  // Read in tens of milliseconds, so that the others wait.
  const slow = ping({ values: Array.from({ length: 19_000 }, () => '\u0001'.repeat(25)) })
  // Two bytes for each character, as one of them needs them.
  const wide = ping({ pad: `${'x'.repeat(1000)}\u0100`.repeat(4150) })
  const until = performance.now() + SECONDS * 1000
  const noise = async (text: Buffer, leaves: boolean) => {
    while (performance.now() < until && server.child.exitCode === null) {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' })
      const over = new Promise(resolve => socket.once('close', resolve))
      socket.on('error', () => {})
      socket.on('data', () => socket.destroy())
      if (leaves) socket.end(text)
      else socket.write(text)
      await Promise.race([over, sleep(3000)])
      socket.destroy()
    }
  }
  const tenant = caller(t, server, TOKEN)
  const { failures } = await meanwhile(
    () => tenant({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    Promise.all(Array.from({ length: 14 }, (_, at) => noise(at < 8 ? wide : slow, at < 8)))
  )
  t.comment(`${residentMb(server)} MiB`)
  t.same(failures, [])
  t.equal(server.child.exitCode ?? server.child.signalCode, null)
  t.notMatch(await server.output(), /request failed/)
})
