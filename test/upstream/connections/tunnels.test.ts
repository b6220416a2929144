import t from 'tap'
import { domainOf } from '../../../src/upstream/connections/tunnels.ts'

t.test('behind a proxy forges are told apart by what somebody has registered', t => {
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
  t.end()
})
