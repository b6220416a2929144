import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chartHeap, madeUp, rawPost, rawSubscription } from '../support/attack.ts'
import { startServer } from '../support/process.ts'
import { initialize, TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, residentMb } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/* Bodies that nobody has begun to read: of what is sent behind a subscription, for as long as that lasts. */

const CONNECTIONS = 900
/** What the container has is 512; uncounted it took 600. */
const MOST_MB = 400
/** In which none is cut any more. */
const QUIET_MS = 500

t.test('bodies behind subscriptions leave the process its memory', async t => {
  const server = await startServer(t, {
    ...chartHeap,
    FORGE_API_URL: await calmForge(t),
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const port = Number(new URL(server.url).port)
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const body = rawPost(madeUp('body'), 'b'.repeat(126_000))
  for (let at = 0; at < CONNECTIONS; at++)
    for (const localAddress of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      sockets.push(socket.on('error', () => {}).resume())
      socket.write(rawSubscription(madeUp(`${localAddress.at(-1)}-${at}`)) + body)
      if (sockets.length % 100 === 0) await sleep(100)
    }
  await sleep(2_000)
  const tenant = caller(t, server, TOKEN)
  t.equal((await tenant(initialize())).status, 200)
  t.equal((await tenant(branch())).status, 200)
  // A server that is behind has not read them yet; what it cannot keep it cuts.
  let [mostMb, cut, since] = [0, 0, performance.now()]
  await until(() => {
    mostMb = Math.max(mostMb, residentMb(server))
    const now = sockets.filter(({ destroyed }) => destroyed).length
    if (now !== cut) [cut, since] = [now, performance.now()]
    return cut > 0 && performance.now() - since > QUIET_MS
  })
  t.comment(`${cut} of ${sockets.length} cut, ${mostMb} MB`)
  t.ok(mostMb < MOST_MB, `${mostMb} MB`)
  t.equal((await tenant(branch())).status, 200)
  t.equal(server.child.exitCode ?? server.child.signalCode, null)
  await server.stop('SIGKILL')
})
