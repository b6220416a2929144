import proxyAddress from '@fastify/proxy-addr'
import t from 'tap'
import { trustedProxies } from '../../../src/edge/callers/trusted-proxies.ts'

const trusts = proxyAddress.compile(['10.0.0.0/8'])

t.test('each address is read once, however often it is asked about', t => {
  const read: string[] = []
  const isProxy = trustedProxies((address, hop) => {
    read.push(address)
    return trusts(address, hop)
  })
  const asked = ['10.0.0.1', '::ffff:10.0.0.1', '192.0.2.1', 'unknown']
  const verdicts = () => asked.map(isProxy)
  t.same(verdicts(), [true, true, false, false])
  t.same(verdicts(), [true, true, false, false])
  t.same(read, asked)
  t.end()
})

t.test('what is longer than any address is not kept', t => {
  let reads = 0
  const isProxy = trustedProxies(() => ++reads < 0)
  for (let use = 0; use < 3; use++) isProxy('x'.repeat(10_000))
  t.equal(reads, 3)
  t.end()
})
