import t from 'tap'
import { asWritten, holderOf, networkOf } from '../../src/base/holders.ts'

t.test('an IPv4 address stands for itself, however it is written', async t => {
  t.equal(holderOf('192.0.2.7'), '192.0.2.7')
  t.equal(holderOf('::ffff:192.0.2.7'), '192.0.2.7')
  t.equal(holderOf('::ffff:c000:207'), '192.0.2.7')
})

t.test('an IPv4 address behind a translator stands for itself, and not for all of IPv4', async t => {
  t.equal(holderOf('64:ff9b::192.0.2.7'), '192.0.2.7')
  t.equal(holderOf('64:ff9b::c000:208'), '192.0.2.8')
})

t.test('a log has an IPv4 address as people write it, and any other as it is', async t => {
  t.equal(asWritten('::ffff:192.0.2.7'), '192.0.2.7')
  for (const address of ['192.0.2.7', '2001:db8::7', '::1', '']) t.equal(asWritten(address), address)
})

t.test('an IPv6 address stands for its network of 64 bits', async t => {
  const one = holderOf('2001:db8:1:2::7')
  t.equal(holderOf('2001:0db8:0001:0002:ffff:1:2:3'), one)
  t.not(holderOf('2001:db8:1:3::7'), one)
})

t.test('the zone of an address does not count, whatever an interface is called', async t => {
  for (const zone of ['eth0', 'eth0.100', 'br-lan', 'a:b', 'a_b', ''])
    t.equal(holderOf(`fe80::1%${zone}`), holderOf('fe80::1'), zone)
})

t.test('what is no address stands for itself, and nothing for one holder', async t => {
  t.equal(holderOf('unix'), 'unix')
  t.equal(holderOf(''), holderOf(''))
  t.equal(holderOf(undefined), 'unknown')
})

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
