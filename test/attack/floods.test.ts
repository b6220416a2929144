import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { holdsIn, yardstick } from '../support/held.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, inParallel, meanwhile } from '../support/tenants.ts'

/* Forges of callers that never come to an answer: what they send without end is dear to read. */

const NOISE_MS = 4_000
/** Of the times the event loop is held, all but the longest two: a collection of all memory comes at any time. */
const ODD = 2

const preload = fileURLToPath(new URL('../support/loop-holds.ts', import.meta.url))
const ten = await yardstick()

const status = 'HTTP/1.1 200 OK\r\n'
const chunked = `${status}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
const floods: [title: string, head: string, block: string][] = [
  ['informational answers', '', 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'.repeat(500)],
  ['headers', status, 'X-A: bbbbbbbbbbbbbbbbbbbbbbb\r\n'.repeat(1_000)],
  ['trailers', `${chunked}2\r\n{}\r\n0\r\n`, 'X-A: bbbbbbbbbbbbbbbbbbbbbbb\r\n'.repeat(1_000)],
  ['chunks of a byte', chunked, '1\r\na\r\n'.repeat(5_000)]
]

/** Sends a block again and again, to whoever asks. @returns its origin */
async function flooding(t: Test, head: string, block: string): Promise<string> {
  const bytes = Buffer.from(block)
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    const more = () => {
      while (!socket.destroyed && socket.write(bytes));
    }
    socket.on('error', () => {})
    socket.on('drain', more)
    socket.once('data', () => {
      socket.write(head)
      more()
    })
    socket.resume()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.3', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.3:${(server.address() as { port: number }).port}`
}

for (const [title, head, block] of floods)
  t.test(`a forge that sends ${title} without end holds nobody for longer than two yardsticks`, async t => {
    const forge = await flooding(t, head, block)
    const server = await startServer(t, {
      FORGE_API_URL: await calmForge(t),
      ENABLE_DYNAMIC_API_URL: 'true',
      MAX_REQUESTS_PER_MINUTE: '0',
      NODE_OPTIONS: `${chartHeap.NODE_OPTIONS} --import=${preload}`
    })
    const tenant = caller(t, server, TOKEN)
    const attacker = caller(t, server, 'unused')
    const one = (at: number) => attacker(branch(), { 'x-forge-api-url': forge }, madeUp(at)).catch(() => {})
    await Promise.all([tenant(branch()), Promise.race([one(0), sleep(500)])])
    const before = (await server.output()).length
    const { failures, p99 } = await meanwhile(
      () => tenant(branch()),
      Promise.race([inParallel(10_000, 20, one), sleep(NOISE_MS)])
    )
    const output = (await server.output()).slice(before)
    const holds = holdsIn(output)
    t.comment(`p99 ${p99} ms; held ${holds.slice(0, 6).join(', ')} ms; yardstick ${ten.toFixed(1)} ms`)
    t.same(failures, [])
    t.ok((holds[ODD] ?? 0) < 2 * ten, `${holds[ODD]} ms`)
    await server.stop('SIGKILL')
  })
