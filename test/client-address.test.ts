import t from 'tap'
import { addressKey } from '../src/client-address.ts'

t.test('a client is one IPv4 address, however it is written, or one IPv6 /64', async t => {
  t.equal(addressKey('192.0.2.7'), '192.0.2.7')
  t.equal(addressKey('::ffff:192.0.2.7'), '192.0.2.7')
  t.equal(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  t.equal(addressKey('2001:db8:1:2::1'), '2001:db8:1:2::/64')
  t.not(addressKey('2001:db8:1:3::1'), '2001:db8:1:2::/64')
  t.equal(addressKey('unknown'), 'unknown')
})
