import t from 'tap'
import { ApiUrls } from '../../../src/upstream/hosts/api-url.ts'
import { HostPolicy } from '../../../src/upstream/hosts/hosts.ts'

const home = 'https://home.example/api/v4'

const urls = ({ dynamic = true, hasHome = true, allowed = [] as string[] } = {}) =>
  new ApiUrls({
    dynamic,
    home,
    hasHome,
    hosts: new HostPolicy({ allowed, denyPrivate: false })
  })

t.test('a good header is normalized and used', async t => {
  for (const [header, apiUrl] of [
    ['https://forge.example', 'https://forge.example/api/v4'],
    ['https://FORGE.example/', 'https://forge.example/api/v4'],
    ['http://forge.example:8080/team', 'http://forge.example:8080/team/api/v4'],
    ['https://forge.example/api/v4/', 'https://forge.example/api/v4'],
    ['https://home.example', undefined]
  ] as const)
    t.same(urls().choose(header), { kind: 'use', apiUrl }, header)
})

t.test('what names no host falls back to FORGE_API_URL, if that was set', async t => {
  for (const header of [
    'not a url',
    'http://not a url',
    '://bad',
    'http//bad',
    'http://[invalid',
    'http://%zz',
    'https://:443',
    'http://',
    'forge.example',
    'forge.example.',
    'not-a-url',
    '$FORGE_URL',
    '$FORGE_URL/api/v4',
    '{env:FORGE_URL}',
    'https://',
    'ftp://forge.example',
    'javascript:alert(1)',
    'https://[',
    'https://?',
    'https://@',
    'http s://',
    'https;//',
    'htps://',
    'sftp://forge.example',
    'ssh://forge.example',
    'git://forge.example/acme',
    'wss://forge.example',
    'foo://bar',
    'about:blank',
    'urn:a:b',
    'smtp://forge.example',
    'file:///etc/forge',
    'mailto:',
    '{{ forge_url }}/api/v4',
    '%FORGE_URL%',
    '<FORGE_URL>',
    'https',
    'https:',
    '/api/v4',
    '100%25',
    ''
  ]) {
    t.same(urls().choose(header), { kind: 'fallback', apiUrl: undefined }, header)
    t.same(urls({ hasHome: false }).choose(header), { kind: 'invalid' }, header)
  }
})

t.test('what names a host, and is no URL of a forge, is refused', async t => {
  for (const header of [
    'https://user:pw@forge.example',
    'https://forge.example?x=1',
    'https://forge.example#x',
    'https://forge.example:0',
    'https://a.example, https://b.example',
    'https://a.example, nonsense',
    'https://a.example:8443,https://b.example:8443',
    'https:\\\\forge.example',
    'https://forge.example:99999',
    'https://forge:99999',
    'https://forge.example:port/',
    'https://forge.example /api',
    '"https://forge.example/api/v4"',
    '<https://forge.example>',
    'URL=https://forge.example',
    'https//forge.example',
    '//forge.example/api/v4',
    'forge.example/api/v4',
    'forge.example:8443/api/v4',
    '"forge.example:8443"',
    'git@forge.example:acme/rocket.git',
    '10.0.0.5:8080',
    '[fd00::5]:8080',
    'forge:8080/api/v4',
    'user@forge.example',
    'user:pw@forge.example',
    'https://[fe80::1%25eth0]/gitlab',
    'https://[::1%25lo]:8443',
    'https://[::1',
    'https://::1/',
    'https://[::g]',
    'https://[[::1]]',
    'https://[v1.a]',
    'https://[forge.example]',
    'https://ex^ample.com',
    'https://ex^ample',
    'https://exa|mple.com/',
    'https://ex%zzample.com',
    'https://forge%2f.example',
    'https://forge%3a8443',
    'https://forge%2eexample%2f',
    'https://%5B::1%5D',
    'https://f o.example',
    'https://git@lab@exa%mple',
    'https:// forge.example',
    'https: //forge.example',
    'https;//forge.example',
    'https:/\\forge.example',
    'https/forge.example',
    'http s://forge.example',
    'https%3A%2F%2Fforge.example',
    'https%3A//forge',
    'https%253A%252F%252Fforge.example',
    'htps://forge',
    'httpss://forge.example',
    'h ttps://forge.example',
    'ttps://forge',
    'https;//forge',
    '/forge.example/api/v4',
    'forge.example;8443',
    'forge;8443/api/v4',
    '[::1]',
    '//forge',
    'forge/api/v4',
    'https//forge/api/v4',
    'https forge.example',
    'ssh://git@forge.example/acme',
    'ftp://user@forge.example',
    'ftp://https://forge.example',
    'thtps://forge.example/api/v4',
    'h:ttps://forge.example',
    'htt-ps://forge.example',
    "http's://forge.example",
    '(https)://forge.example',
    'https=//forge.example/api/v4',
    'https|//forge.example',
    `https://forge.example/${'x'.repeat(512)}`,
    `https:${'~'.repeat(300)}`
  ])
    for (const hasHome of [true, false]) t.same(urls({ hasHome }).choose(header), { kind: 'invalid' }, header)
})

t.test('a header with letters beyond ASCII is refused: its bytes would be read as another host', async t => {
  const asRead = (text: string) => Buffer.from(text).toString('latin1')
  for (const header of [
    'http://fórge.example',
    'https：//forge.example',
    'https://forge.example/équipe',
    'fórge'
  ])
    for (const hasHome of [true, false])
      t.same(urls({ hasHome }).choose(asRead(header)), { kind: 'invalid' }, header)
  t.match(urls().choose('http://xn--frge-qqa.example'), { kind: 'use' })
})

t.test(
  'what leads into a forge is refused: for whatever a tool names another resource would stand',
  async t => {
    for (const path of [
      '/api/v4/projects/9/packages/generic',
      '/api/v4/projects/9/packages/generic/api/v4',
      '/team/api/v4/projects/9/jobs/5/artifacts/api/v4/',
      '/acme/rocket/-/raw/main',
      '/api/graphql',
      '/%61pi/v4/projects/9',
      '/api%2fv4/projects/9',
      '/api//v4/projects/9',
      '/api%2f%2fv4/projects/9',
      '/api%2f.%2fv4/projects/9',
      '/api/%2e%2fv4/projects/9',
      '/api/x%2f..%2fv4/projects/9',
      '/api/x%2f%2f..%2f..%2fv4/projects/9',
      '/api/x%2f%2f..%2fv4/projects/9',
      '/api/x%2f%2f..%2f..%2f%2fv4/projects/9',
      '/%'
    ])
      for (const host of ['forge', 'home'])
        t.same(urls().choose(`https://${host}.example${path}`), { kind: 'invalid' }, path)
    for (const path of ['/api', '/gateway/api', '/api-v4', '/a-b'])
      t.equal(urls().choose(`https://forge.example${path}`).kind, 'use', path)
  }
)

t.test('no header means FORGE_API_URL, if that was set', async t => {
  t.same(urls().choose(undefined), { kind: 'use', apiUrl: undefined })
  t.same(urls({ hasHome: false }).choose(undefined), { kind: 'missing' })
})

t.test('a default that is not taken needs permission as any forge does that a caller names', async t => {
  const url = 'https://home.example/api/v4'
  t.same(urls({ hasHome: false }).choose(url), { kind: 'use', apiUrl: url })
  t.match(urls({ hasHome: false, allowed: ['forge.example'] }).choose(url), { kind: 'forbidden' })
  t.same(urls({ allowed: ['forge.example'] }).choose(url), { kind: 'use', apiUrl: undefined })
})

t.test('a good URL that policy refuses is refused, never replaced', async t => {
  for (const header of ['http://169.254.169.254', 'http://0xa9fea9fe/', 'https://metadata.google.internal'])
    t.match(urls().choose(header), { kind: 'forbidden', why: /never allowed/ }, header)
  t.match(urls({ allowed: ['forge.example'] }).choose('https://other.example'), {
    kind: 'forbidden',
    why: /FORGE_ALLOWED_HOSTS/
  })
})

t.test('with the mode off nothing is looked at', async t => {
  for (const header of [undefined, 'nonsense', 'http://169.254.169.254', 'https://forge.example'])
    t.same(urls({ dynamic: false, hasHome: false }).choose(header), { kind: 'use', apiUrl: undefined })
})

t.test('the URL of a sealed session is accepted while policy still allows it', async t => {
  const url = 'https://forge.example/api/v4'
  t.equal(urls().accepts(url), true)
  t.equal(urls({ allowed: ['other.example'] }).accepts(url), false)
  t.equal(urls({ dynamic: false }).accepts(url), false)
  t.equal(urls().accepts('https://forge.example'), false, 'only as it was sealed')
})

t.test('a header differs from the session when it names another forge', async t => {
  t.equal(urls().differs('https://forge.example/', 'https://forge.example/api/v4'), false)
  t.equal(urls().differs('https://home.example', undefined), false)
  t.equal(urls().differs('https://forge.example', undefined), true)
  t.equal(urls().differs('nonsense', undefined), true)
})
