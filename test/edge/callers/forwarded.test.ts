import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import t from 'tap'
import { callerAddress } from '../../../src/edge/callers/forwarded.ts'
import { cpuMsOf } from '../../support/event-loop.ts'

const trusts = proxyAddress.compile(['10.0.0.0/8'])
const walk = (request: IncomingMessage) => proxyAddress(request, trusts)
const proxy = '10.0.0.1'

const requestOf = (list: string | undefined, remoteAddress = proxy) =>
  ({ headers: { 'x-forwarded-for': list }, socket: { remoteAddress } }) as unknown as IncomingMessage
const addressOf = (list: string | undefined, remoteAddress?: string) =>
  callerAddress(requestOf(list, remoteAddress), walk)

t.test('the caller is the nearest that is no proxy', async t => {
  t.equal(addressOf(undefined), proxy)
  t.equal(addressOf(' '), proxy)
  t.equal(addressOf('192.0.2.1'), '192.0.2.1')
  t.equal(addressOf('192.0.2.2, 192.0.2.1, 10.0.0.2'), '192.0.2.1')
  t.equal(addressOf('10.0.0.3, 10.0.0.2'), '10.0.0.3', 'or the first where all are')
  t.equal(addressOf('192.0.2.1', '192.0.2.9'), '192.0.2.9', 'what others say does not count')
})

t.test('a connection that was reset has no address, whatever its request says', async t => {
  const reset = { headers: { 'x-forwarded-for': '192.0.2.1' }, socket: {} } as unknown as IncomingMessage
  t.equal(callerAddress(reset, walk), undefined)
})

t.test('an address is the same with whatever port, of proxies too', t => {
  t.equal(addressOf('192.0.2.1:5678'), '192.0.2.1')
  t.equal(addressOf('192.0.2.2:1,192.0.2.1:2, 10.0.0.2:3'), '192.0.2.1')
  t.equal(addressOf('[2001:db8::1]:443'), '2001:db8::1')
  t.equal(addressOf('[2001:db8::1], 10.0.0.2'), '2001:db8::1')
  t.equal(addressOf('2001:db8::1:443'), '2001:db8::1:443', 'which is an address')
  t.equal(addressOf('::ffff:192.0.2.1'), '::ffff:192.0.2.1')
  t.end()
})

t.test('whoever looks again finds the same', async t => {
  for (const list of [undefined, ' ', '192.0.2.1', '192.0.2.2, 192.0.2.1,10.0.0.2', '10.0.0.3, 10.0.0.2'])
    for (const remoteAddress of [proxy, '192.0.2.9']) {
      const request = requestOf(list, remoteAddress)
      const expected = proxyAddress(request, trusts)
      t.equal(callerAddress(request, walk), expected)
      t.equal(proxyAddress(request, trusts), expected)
    }
})

t.test('of a long list only what the nearest proxies said counts, and nobody walks the rest', async t => {
  const address = addressOf(`${'192.0.2.1,'.repeat(10)}${'10.0.0.255,'.repeat(1000)}10.0.0.2`)
  t.equal(address, '10.0.0.255')
  t.equal(addressOf(`${'x'.repeat(14_000)},${'10.0.0.2,'.repeat(20)}192.0.2.1`), '192.0.2.1')
  t.ok(addressOf('x'.repeat(14_000))!.length < 1000)
  const list = Array(1_200).fill('10.0.0.255').join()
  const ms = await cpuMsOf(() => {
    for (let at = 0; at < 20; at++) {
      const request = requestOf(list)
      callerAddress(request, walk)
      for (let use = 0; use < 50; use++) proxyAddress.all(request, trusts)
    }
  })
  t.ok(ms < 200, `${ms} ms`)
})

t.test('an address that is cut off in the middle of a long list is nobody’s', t => {
  // Each place at which the cut may fall.
  for (let more = 0; more < 11; more++) {
    const list = `198.51.100.200,${' '.repeat(more)}${'10.0.0.2,'.repeat(84)}10.0.0.2`
    t.match(addressOf(list), /^(198\.51\.100\.200|10\.0\.0\.2)$/, `${more} blanks`)
  }
  t.end()
})
