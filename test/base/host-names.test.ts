import t from 'tap'
import { domainOf, hostOf, isIpAddress, isOfWeb } from '../../src/base/host-names.ts'

t.test('forges are told apart by what somebody has registered', async t => {
  for (const [hostname, domain] of [
    ['git.example.com', 'example.com'],
    ['a.b.example.com.', 'example.com'],
    ['git.example.co.uk', 'example.co.uk'],
    ['a.git.example.com.au', 'example.com.au'],
    ['example.co.uk', 'example.co.uk'],
    ['a.git.io', 'git.io'],
    ['co.uk', 'co.uk'],
    ['localhost', 'localhost'],
    ['192.0.2.1', '192.0.2.1'],
    ['[2001:db8::1]', '[2001:db8::1]']
  ] as const)
    t.equal(domainOf(hostname), domain)
})

t.test('an address is told from a name, with and without its brackets', async t => {
  for (const address of ['192.0.2.1', '[2001:db8::1]', '2001:db8::1']) t.ok(isIpAddress(address), address)
  for (const name of ['forge.example', '[forge]', '1.example']) t.notOk(isIpAddress(name), name)
})

t.test('only web servers have hosts that are asked, with or without TLS', async t => {
  t.same(
    ['https://a', 'http://a', 'ftp://a', 'app:/a'].map(url => isOfWeb(new URL(url))),
    [true, true, false, false]
  )
  t.equal(hostOf('https://forge.example:8443/api/v4'), 'forge.example:8443')
  t.equal(hostOf('http://[2001:db8::1]'), '[2001:db8::1]')
})
