import { connect } from 'node:net'
import t from 'tap'
import { chartHeap, madeUp, rawPost } from '../support/attack.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, residentMb } from '../support/tenants.ts'

/*
 * Queries whose names are numbers. A record of these takes an array with room for all smaller ones, for as long as the
 * request is kept: half a megabyte for twelve kilobytes, which counted for nobody, and ended the process.
 */

const CONNECTIONS = 1_000
const MOST_MB = 220

/** Numbers one behind the other, and then each as far ahead as V8 still makes room for, half as much again, in an array. */
function numbers(): string {
  const all = [...Array(2_740).keys()]
  const grown = (at: number) => at + 1 + ((at + 1) >> 1) + 16
  let room = 0
  for (const at of all) if (at >= room) room = grown(at)
  for (; grown(room + 1_023) < 73_700; room = grown(room + 1_023)) all.push(room + 1_023)
  return all.join('&')
}

t.test(
  'requests with queries of numbers, whose bodies do not come, take no more than their characters',
  async t => {
    const server = await startServer(t, {
      ...chartHeap,
      FORGE_API_URL: await calmForge(t),
      MAX_REQUESTS_PER_MINUTE: '0'
    })
    const tenant = caller(t, server, TOKEN)
    const before = residentMb(server)
    const query = numbers()
    for (let at = 0; at < CONNECTIONS; at++) {
      const socket = connect({
        port: Number(new URL(server.url).port),
        host: '127.0.0.1',
        localAddress: `127.0.0.${2 + (at % 4)}`
      })
      t.teardown(() => socket.destroy())
      socket.on('error', () => {})
      socket.write(rawPost(madeUp(at), branch()).slice(0, -1).replace('/mcp', `/mcp?${query}`))
      if (at % 50 === 49) t.equal((await tenant(branch())).status, 200)
    }
    t.comment(`${before} MiB before, ${residentMb(server)} beside`)
    t.ok(residentMb(server) < MOST_MB, `${residentMb(server)} MiB`)
    await server.stop('SIGKILL')
  }
)
