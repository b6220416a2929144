import { connect, type Socket } from 'node:net'
import t from 'tap'
import { madeUp, rawPost, rawSubscription } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { initialize } from '../support/server.ts'
import { branch, caller } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/*
 * Requests that are answered late or never keep their headers: a subscription for an hour, and with it what is sent
 * behind it. Of 900 connections from one address that filled the heap.
 */

const CONNECTIONS = 900
/** As many as are read of one request, and as long. */
const headers = Array.from({ length: 180 }, (_, at) => `x-${at}: ${'y'.repeat(70)}\r\n`).join('')

t.test('subscriptions of one address with many headers, and requests behind them, end nothing', async t => {
  const home = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  const server = await startServer(t, {
    // Half of what the chart gives: four such addresses are to fit.
    NODE_OPTIONS: '--max-old-space-size=180',
    FORGE_API_URL: home,
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const port = Number(new URL(server.url).port)
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let at = 0; at < CONNECTIONS; at++) {
    const token = madeUp(`heads-${at}`)
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    sockets.push(socket.on('error', () => {}).resume())
    const behind = rawPost(token, {}, 'application/json', headers)
    socket.write(rawSubscription(token, headers) + behind.repeat(3))
    if (at % 50 === 49) await new Promise(resolve => setTimeout(resolve, 200))
  }
  const tenant = caller(t, server, madeUp('tenant'))
  t.equal((await tenant(initialize())).status, 200)
  t.equal((await tenant(branch())).status, 200)
  // A server that is behind has not read all of them yet.
  await until(() => sockets.some(({ destroyed }) => destroyed))
  t.ok(
    sockets.some(({ destroyed }) => !destroyed),
    'not all are cut'
  )
  t.equal((await tenant(branch())).status, 200)
  t.equal(server.child.exitCode ?? server.child.signalCode, null)
})
