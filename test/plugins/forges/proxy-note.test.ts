import t, { type Test } from 'tap'
import { captureLog } from '../../support/log.ts'
import { testServer } from '../../support/server.ts'

const noted = /^X-Forwarded-For /

async function linesAfter(
  t: Test,
  settings: Record<string, string>,
  headers: Record<string, string>,
  method = 'POST'
) {
  const log = captureLog()
  const server = await testServer(t, { PORT: '0', LOG_LEVEL: 'warn', ...settings }, log.stream)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  for (let at = 0; at < 3; at++) await (await fetch(`${url}/mcp`, { headers, method })).text()
  return log.lines().filter(({ msg }) => noted.test(String(msg)))
}

const forwarded = { 'x-forwarded-for': '192.0.2.1' }

t.test('a proxy that is not named in MCP_TRUST_PROXY is told of once', async t => {
  t.match(await linesAfter(t, {}, forwarded), [
    { level: 40, address: '127.0.0.1', msg: /^X-Forwarded-For does not count/ }
  ])
})

t.test('a proxy that is named and does not say who calls is told of once', async t => {
  t.match(await linesAfter(t, { MCP_TRUST_PROXY: '127.0.0.1' }, {}), [
    { level: 40, address: '127.0.0.1', msg: /^X-Forwarded-For is missing/ }
  ])
})

t.test('a header that is there and empty counts as one that is missing', async t => {
  t.match(await linesAfter(t, { MCP_TRUST_PROXY: '127.0.0.1' }, { 'x-forwarded-for': '' }), [
    { msg: /^X-Forwarded-For is missing/ }
  ])
})

t.test('a proxy that writes something else than an address is told of once', async t => {
  for (const named of ['unknown', 'unix:', '_hidden', 'cafe'])
    t.match(
      await linesAfter(t, { MCP_TRUST_PROXY: '127.0.0.1' }, { 'x-forwarded-for': named }),
      [{ level: 40, address: '127.0.0.1', msg: /^X-Forwarded-For holds no address/ }],
      named
    )
})

t.test('and nothing is said of an address in any form', async t => {
  for (const address of [
    '192.0.2.1:80',
    '2001:DB8::1',
    '[2001:db8::1]:443',
    '::ffff:192.0.2.1',
    'fe80::1%br-lan'
  ])
    t.same(await linesAfter(t, { MCP_TRUST_PROXY: '127.0.0.1' }, { 'x-forwarded-for': address }), [], address)
})

t.test('nothing is said of probes from a network that is trusted', async t => {
  t.same(await linesAfter(t, { MCP_TRUST_PROXY: '127.0.0.1' }, {}, 'GET'), [])
})

t.test('nothing is said of a proxy that is named, or of callers without one', async t => {
  t.same(await linesAfter(t, { MCP_TRUST_PROXY: '127.0.0.1' }, forwarded), [])
  t.same(await linesAfter(t, {}, {}), [])
})
