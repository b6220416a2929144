import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { madeUp, rawSubscription } from '../support/attack.ts'
import { type ServerProcess, startServer } from '../support/process.ts'
import { initialize } from '../support/server.ts'
import { branch, caller, calmForge } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/*
 * Three headers whose names are numbers, of which V8 makes an array of 40 KB. Held by requests, and by connections that
 * kept the last one, they filled the heap that the chart gives.
 */

const names = ['700', '2090', '3320'].map(name => `${name}: 1\r\n`).join('')

/** Half the heap that the chart gives, and a tenant of the server. */
async function serverOf(t: Test) {
  const server = await startServer(t, {
    NODE_OPTIONS: '--max-old-space-size=180 --max-semi-space-size=16',
    FORGE_API_URL: await calmForge(t),
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const tenant = caller(t, server, madeUp('tenant'))
  const isServed = async () => {
    t.equal((await tenant(initialize())).status, 200)
    t.equal((await tenant(branch())).status, 200)
  }
  return { server, isServed }
}

/** Opens connections of some addresses, each of which sends a text and waits for the first of its answer, or its end. */
async function crowd(
  t: Test,
  { url }: ServerProcess,
  addresses: number,
  each: number,
  text: (at: number) => string
): Promise<Socket[]> {
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const open = (at: number, localAddress: string) =>
    new Promise<void>(resolve => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
      sockets.push(socket)
      socket.on('error', () => {}).on('data', () => resolve())
      socket.once('close', () => resolve())
      socket.write(text(at))
    })
  for (let at = 0; at < each; at += 20)
    for (let from = 0; from < addresses; from++)
      await Promise.all(Array.from({ length: 20 }, (_, more) => open(at + more, `127.0.0.${20 + from}`)))
  return sockets
}

t.test('requests that last, whose headers have numbers as names, end nothing', async t => {
  const { server, isServed } = await serverOf(t)
  const behind = `GET /livez HTTP/1.1\r\nHost: localhost\r\n${names}\r\n`.repeat(3)
  const sockets = await crowd(
    t,
    server,
    2,
    600,
    at => rawSubscription(madeUp(`numbers-${at}`), names) + behind
  )
  await isServed()
  await until(() => sockets.some(({ destroyed }) => destroyed))
  t.ok(
    sockets.some(({ destroyed }) => !destroyed),
    'not all are cut'
  )
  await isServed()
  t.equal(server.child.exitCode ?? server.child.signalCode, null)
})

t.test('connections that are idle keep nothing of their last request', async t => {
  const { server, isServed } = await serverOf(t)
  const request = `GET /livez HTTP/1.1\r\nHost: localhost\r\n${names}X: ${'x'.repeat(15_000)}\r\n\r\n`
  const sockets = await crowd(t, server, 4, 1000, () => request)
  await isServed()
  t.equal(sockets.filter(({ destroyed }) => !destroyed).length, 4000)
})
