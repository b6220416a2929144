import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { connectionLimits } from '../../src/edge/connections/connection-limits.ts'
import { chartHeap, madeUp, rawPost } from '../support/attack.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { caller, meanwhile } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/* Callers who make the kernel hold what they do not read: its buffer of a connection grows with what they once read. */

const CONNECTIONS = 64
/** Answers of 48 KB that are read, and then such that are not. */
const [READ, UNREAD] = [20, 60] as const

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

/** A connection that has read many answers, and from now on reads none. */
async function grown(t: Test, port: number, text: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {})
  t.teardown(() => socket.destroy())
  for (let at = 0; at < READ; at++) {
    socket.write(text)
    for (let answer = ''; !answer.endsWith('}}'); ) answer += (await once(socket, 'data'))[0]
  }
  return socket.pause()
}

/** What the kernel holds for a server, in bytes, by the states of its connections (proc_pid_net(5)). */
function heldFor(port: number): Record<string, number> {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  const lines = readFileSync('/proc/self/net/tcp', 'utf8').matchAll(
    /: \w{8}:(\w{4}) \w{8}:\w{4} (\w\w) (\w{8}):/g
  )
  const held: Record<string, number> = {}
  for (const [, at, state, bytes] of lines)
    if (at === local && state !== '0A') held[state!] = (held[state!] ?? 0) + Number.parseInt(bytes!, 16)
  return held
}

/** How many lists of tools a server has answered with, by its metrics. */
async function listed(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics?format=prometheus`)).text()
  return Number(/_duration_seconds_count\{mcp_method="tools\/list"[^}]*\} (\d+)/.exec(text)?.[1])
}

t.test(
  'answers that nobody reads leave the kernel within seconds, and others are answered',
  { skip: process.platform !== 'linux' && 'only Linux says what it holds of connections' },
  async t => {
    const server = await startServer(t, { ...chartHeap, MAX_REQUESTS_PER_MINUTE: '0' })
    const port = Number(new URL(server.url).port)
    const tenant = caller(t, server, TOKEN)
    const text = rawPost(madeUp('mute'), list)
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => grown(t, port, text)))
    /** Whether what is held of open connections is within bounds, and nothing is of closed ones. */
    const hasLeft = () => {
      const { '01': open = 0, ...closed } = heldFor(port)
      return open <= connectionLimits.queued.each && Object.values(closed).every(bytes => bytes === 0)
    }
    let most = 0
    const isCut = async () => (await server.output()).includes('"msg":"connection cut"')
    const asking = async () => {
      let asked = CONNECTIONS * READ
      let wereCut = false
      for (let at = 0; at < UNREAD; at++) {
        const open = sockets.filter(({ destroyed }) => !destroyed)
        for (const socket of open) socket.write(text)
        asked += open.length
        // A server that is behind would cut them for what they ask ahead of their answers.
        await until(async () => {
          wereCut ||= await isCut()
          return wereCut || (await listed(server.url)) >= asked
        })
        await sleep(50)
        most = Math.max(most, heldFor(port)['01'] ?? 0)
      }
      // Until then, others go on to ask.
      await until(hasLeft)
    }
    const during = await meanwhile(() => tenant({ jsonrpc: '2.0', id: 1, method: 'ping' }), asking())
    t.comment(`${most >> 20} MiB at most, p99 of others ${during.p99} ms`)
    t.same(during.failures, [])
    await until(async () => /"reason":"queued","address":"127.0.0.2"/.test(await server.output()))
  }
)
