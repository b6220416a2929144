import t, { type Test } from 'tap'
import { listenFault } from '../../src/config/listen-fault.ts'
import { listen as listenOn } from '../../src/server.ts'
import { addressFor } from '../../src/server-address.ts'
import { freePort, listen } from '../support/listen.ts'
import { testServer } from '../support/server.ts'

/** A port at which somebody listens. */
const takenBy = async (t: Test): Promise<string> =>
  new URL(await listen(t, (_request, response) => response.end())).port

t.test('a port that is taken is named, with the variable that says another', async t => {
  const PORT = await takenBy(t)
  await t.rejects(listenOn(await testServer(t, { PORT })), {
    message: `port ${PORT} of 127.0.0.1 is taken by another program: end that, or set PORT to another port.`
  })
  await t.rejects(testServer(t, { METRICS_PORT: PORT }), { message: /is taken .* or set METRICS_PORT to/ })
})

t.test('a HOST that is none of this machine is named', async t => {
  for (const HOST of ['nowhere.invalid', '198.51.100.1', 'fe80::1'])
    await t.rejects(listenOn(await testServer(t, { HOST, PORT: '0' })), {
      message: `HOST is "${HOST}", which is no address of this machine: set it to one alone, without a scheme, brackets or a port, such as ${HOST.startsWith('198') ? '::1' : '127.0.0.1'}, or :: for all.`
    })
})

t.test('where there is no IPv4, another HOST is advised than the one of IPv4 that was refused', async t => {
  const refused = Object.assign(new Error('listen'), { code: 'EADDRNOTAVAIL' })
  for (const host of ['127.0.0.1', '0.0.0.0'])
    t.match(listenFault(refused, { host, port: 3000, variable: 'PORT' }), {
      message: /such as ::1, or :: for all\.$/
    })
})

t.test('where no address of this machine is known, the one that was asked for is told', async t => {
  const server = await testServer(t, { HOST: '0.0.0.0', PORT: '3000' })
  // Fastify's own answer where no interface has an address of IPv4.
  server.listen = (async () => undefined) as never
  t.equal(await listenOn(server), 'http://0.0.0.0:3000')
})

t.test('HOST=:: is every address of both families, and that of metrics too', async t => {
  const METRICS_PORT = String(await freePort())
  const server = await testServer(t, { HOST: '::', PORT: '0', METRICS_PORT })
  const { port } = new URL(await listenOn(server))
  for (const address of ['127.0.0.1', '[::1]']) {
    t.equal((await fetch(`http://${address}:${port}/readyz`)).status, 200, address)
    t.equal((await fetch(`http://${address}:${METRICS_PORT}/metrics`)).status, 200, address)
  }
})

t.test('HOST=:: names no address, so that Node takes those of IPv4 where there is no IPv6', async t => {
  t.equal(await addressFor('::'), '')
  t.equal(await addressFor('0.0.0.0'), '0.0.0.0')
})
