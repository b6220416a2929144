import t from 'tap'
import { networkOf } from '../../src/collections/network.ts'
import { holderOf } from '../../src/fairness/address.ts'

t.test('an IPv6 network of 64 bits is in one of 48, however its addresses are written', async t => {
  const one = networkOf(holderOf('2001:db8:1:2::7'))
  t.equal(one, '2001:db8:1')
  t.equal(networkOf(holderOf('2001:0db8:0001:ffff::')), one)
  t.not(networkOf(holderOf('2001:db8:2:2::7')), one)
  t.equal(networkOf(holderOf('::1')), '0:0:0')
})

t.test('what pages do there counts in a network of its own', async t => {
  t.equal(networkOf(`pages at ${holderOf('2001:db8:1:2::7')}`), 'pages at 2001:db8:1')
})

t.test('whoever has no IPv6 address is in no network', async t => {
  for (const holder of [
    '192.0.2.1',
    holderOf('64:ff9b::192.0.2.7'),
    'unknown',
    '',
    'a caller',
    'a:b:c',
    'x:1:2:3:4',
    'https://forge:1'
  ])
    t.equal(networkOf(holder), undefined, holder)
})
