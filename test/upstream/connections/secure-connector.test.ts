import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import t from 'tap'
import type { buildConnector } from 'undici'
import { secureConnector } from '../../../src/upstream/connections/secure-connector.ts'
import { bareTunnel } from '../../../src/upstream/connections/tunnels.ts'

t.test('a host that takes a connection and never speaks TLS is given up in time, and told once', async t => {
  const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
  t.teardown(() => void server.close())
  await once(server, 'listening')
  const raw = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(raw, 'connect')
  const told: unknown[] = []
  const target = { hostname: '127.0.0.1', httpSocket: raw } as unknown as buildConnector.Options
  await new Promise<void>(resolve =>
    secureConnector({ timeout: 20 })(target, (...[error]) => {
      told.push(error)
      resolve()
    })
  )
  if (!raw.closed) await once(raw, 'close')
  t.match(told, [{ code: 'UND_ERR_CONNECT_TIMEOUT', message: /127\.0\.0\.1 .* in 20 ms/ }])
})

t.test('a proxy is asked for the port of https where a host is given without one', async t => {
  const asked: unknown[] = []
  const connector = bareTunnel(({ host }) => void asked.push(host))
  for (const [host, port] of [
    ['forge.example', '443'],
    ['[2001:db8::1]', '443'],
    ['forge.example:8443', '8443']
  ])
    connector({ host, port } as unknown as buildConnector.Options, () => {})
  t.same(asked, ['forge.example:443', '[2001:db8::1]:443', 'forge.example:8443'])
})
