import t from 'tap'
import { HostPolicy, isForbiddenLiteral, isHostEntry } from '../../../src/upstream/hosts/hosts.ts'

const policy = (allowed: string[], denyPrivate = false) =>
  new HostPolicy({ allowed, denyPrivate, home: 'http://forge.internal:8080' })

const allows = (hosts: HostPolicy, url: string): boolean => {
  try {
    hosts.check(new URL(url))
    return true
  } catch (error) {
    if (/^FORBIDDEN_/.test((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

t.test('entries name hosts, hosts below a name, and ports', async t => {
  const hosts = policy([
    'Forge.example',
    '*.corp.example',
    '10.0.0.5:8443',
    '[fd00::1]:80',
    'tls.example:443',
    'plain.example:80',
    '*.lab.example:8443'
  ])
  for (const url of [
    'https://forge.example',
    'https://FORGE.example:443/x',
    'https://forge.example.',
    'https://a.corp.example',
    'https://a.b.corp.example',
    'https://10.0.0.5:8443',
    'https://0x0a.5:8443',
    'http://[fd00:0::1]',
    'https://tls.example',
    'http://plain.example',
    'https://a.lab.example:8443'
  ])
    t.equal(allows(hosts, url), true, url)
  for (const url of [
    'https://other.example',
    'https://forge.example.evil',
    'https://evilforge.example',
    'https://forge.example@evil.example',
    'https://corp.example',
    'https://evilcorp.example',
    'https://10.0.0.5',
    'https://10.0.0.6:8443',
    'http://tls.example',
    'https://forge.example:8443',
    'http://forge.example',
    'http://forge.example:443',
    'http://a.corp.example:9100',
    'https://plain.example',
    'https://a.lab.example'
  ])
    t.equal(allows(hosts, url), false, url)
})

t.test('without entries any host may be asked but those that never may', async t => {
  t.equal(allows(policy([]), 'http://127.0.0.1'), true)
  t.equal(allows(policy([]), 'https://10.0.0.1'), true)
  t.equal(allows(policy([]), 'http://169.254.169.254'), false)
  t.equal(allows(policy([], true), 'http://127.0.0.1'), false)
  t.equal(allows(policy([], true), 'https://forge.example'), true)
})

t.test('what may never be asked is not made askable by naming it', async t => {
  t.equal(allows(policy(['169.254.169.254']), 'http://169.254.169.254'), false)
  t.equal(isForbiddenLiteral('169.254.169.254'), true)
  t.equal(isForbiddenLiteral('[fe80::1]:80'), true)
  t.equal(isForbiddenLiteral('10.0.0.1'), false)
  t.equal(isForbiddenLiteral('forge.example'), false)
})

t.test('the forge of FORGE_API_URL needs no permission, its neighbours do', async t => {
  const hosts = policy(['forge.example'], true)
  t.equal(allows(hosts, 'http://forge.internal:8080/x'), true)
  t.equal(allows(hosts, 'http://forge.internal:9200/'), false)
  t.same(hosts.addresses('http://forge.internal:8080'), { denyPrivate: false, isHome: true })
  t.same(hosts.addresses('http://forge.internal:9200'), { denyPrivate: true })
})

t.test('what is no host is no entry', async t => {
  for (const entry of ['forge.example', '*.a.b', '10.0.0.1:80', '[::1]', 'localhost'])
    t.ok(isHostEntry(entry), entry)
  for (const entry of ['https://forge.example', 'a/b', '*', 'a.*.b', 'a b', 'forge.example:', '::1', ''])
    t.notOk(isHostEntry(entry), entry)
})

t.test('a host whose name begins as that of the forge of FORGE_API_URL is another', async t => {
  const hosts = new HostPolicy({ allowed: ['a.example'], denyPrivate: true, home: 'https://forge.example' })
  t.equal(allows(hosts, 'https://forge.example/x'), true)
  t.equal(allows(hosts, 'https://forge.example.evil/x'), false)
  t.same(hosts.addresses('https://forge.example.evil'), { denyPrivate: true })
})
