import { type AddressInfo, connect } from 'node:net'
import t, { type Test } from 'tap'
import { connectionLimits } from '../../../src/edge/connections/connection-limits.ts'
import { refusalSampling } from '../../../src/log/sampled-lines.ts'
import { captureLog } from '../../support/log.ts'
import { testServer } from '../../support/server.ts'

/** What the log has of connections over which too much was sent ahead. */
async function linesOfCuts(t: Test, times: number, settings: Record<string, string>, header = '') {
  const log = captureLog()
  const server = await testServer(t, { PORT: '0', LOG_LEVEL: 'info', ...settings }, log.stream)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const request = `GET /livez HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`
  for (let at = 0; at < times; at++) {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(request.repeat(connectionLimits.pipelined + 2))
    )
    socket.on('error', () => {}).resume()
    await new Promise(resolve => socket.once('close', resolve))
  }
  await server.close()
  return log
}

t.test(
  'the log says at its usual level whose connections were cut and why, and counts the rest of many',
  async t => {
    const log = await linesOfCuts(t, refusalSampling.lines + 2, {})
    const lines = log.lines('connection cut')
    t.equal(lines.length, refusalSampling.lines)
    t.match(lines[0], { level: 30, reason: 'pipelined', address: '127.0.0.1' })
    t.match(log.lines('more connections cut'), [{ reason: 'pipelined', more: 2 }])
  }
)

t.test('behind a proxy that is trusted the address is that of the caller', async t => {
  const header = 'X-Forwarded-For: 192.0.2.7\r\n'
  const log = await linesOfCuts(t, 1, { MCP_TRUST_PROXY: '127.0.0.1' }, header)
  t.match(log.lines('connection cut'), [{ reason: 'pipelined', address: '192.0.2.7' }])
})
