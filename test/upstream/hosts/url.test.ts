import t from 'tap'
import { apiBase, basesAround, namesNoHost, normalizeApiUrl } from '../../../src/upstream/hosts/url.ts'

t.test('an upstream URL is normalized to end in /api/v4', async t => {
  for (const [given, normalized] of [
    ['https://forge.example', 'https://forge.example/api/v4'],
    ['https://forge.example/', 'https://forge.example/api/v4'],
    ['https://forge.example/api/v4', 'https://forge.example/api/v4'],
    ['https://forge.example/api/v4/', 'https://forge.example/api/v4'],
    ['https://forge.example/team/forge/', 'https://forge.example/team/forge/api/v4'],
    ['https://forge.example//', 'https://forge.example/api/v4'],
    ['http://https:8080/', 'http://https:8080/api/v4'],
    ['http://FORGE.example:8080', 'http://forge.example:8080/api/v4'],
    ['https://forge.example:443/api/v4', 'https://forge.example/api/v4']
  ] as const)
    t.equal(normalizeApiUrl(given), normalized)
})

t.test('what is no plain http or https address is refused', async t => {
  for (const given of [
    '',
    'forge.example',
    'ftp://forge.example',
    'javascript:alert(1)',
    'https://user:pw@forge.example',
    'https://forge.example?x=1',
    'https://forge.example#x',
    'https://forge.example:0',
    'http://http://127.0.0.1:7100',
    'https://HTTP:/forge.example',
    'https://https:',
    'https://forge.example//team',
    'https://forge.example;',
    'https://forge.example/api/v4;',
    `https://\${FORGE_HOST}`,
    'https://$FORGE_HOST/api/v4',
    'https://{{host}}/',
    'http://'
  ])
    t.equal(normalizeApiUrl(given), undefined, given)
})

t.test('an address of a forge names a host with any one slip of the hand', async t => {
  const marks = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
  const fallen = new Set<string>()
  for (const url of [
    'https://forge.example/api/v4',
    'https://forge.example',
    'http://10.0.0.5:8080',
    'http://forge:8080/api/v4',
    'https://forge/api/v4'
  ])
    for (let at = 0; at <= url.length; at++) {
      const [before, here = '', next = ''] = [url.slice(0, at), url[at], url[at + 1]]
      const after = url.slice(at + 1)
      const slips = [before + after, before + next + here + url.slice(at + 2)]
      for (const mark of marks) slips.push(before + mark + here + after, before + mark + after)
      // Node takes the blanks off the ends of a header.
      for (const slip of slips.map(slip => slip.trim()))
        if (normalizeApiUrl(slip) === undefined && namesNoHost(slip)) fallen.add(slip)
    }
  t.same([...fallen], [])
})

t.test('GraphQL lies beside REST, below the same prefix', async t => {
  t.same(apiBase('https://forge.example:8443/team/api/v4'), {
    origin: 'https://forge.example:8443',
    path: '/team/api/v4',
    graphqlPath: '/team/api/graphql'
  })
})

t.test('an address within a forge is that of a forge at the root of its host, or below a prefix', async t => {
  for (const [path, ...bases] of [
    ['/api/v4/projects', ''],
    ['/gitlab/api/v4/projects', '/gitlab'],
    ['/gitlab//api/graphql', '/gitlab'],
    ['/apps/gitlab/api', '/apps/gitlab'],
    ['/acme/rocket', ''],
    ['/acme/rocket.git', ''],
    ['/acme/rocket/-/issues', ''],
    ['/groups/acme/-/milestones', ''],
    ['/gitlab/acme/rocket', '', '/gitlab'],
    ['/gitlab/acme/rocket.git', '', '/gitlab'],
    ['/gitlab/acme/rocket/-/issues', '', '/gitlab'],
    ['/gitlab/-/user_settings', '/gitlab'],
    ['/-/user_settings', ''],
    ['/', '']
  ] as const)
    t.same(
      basesAround(new URL(`https://forge.example${path}`)),
      bases.map(base => `https://forge.example${base}`),
      path
    )
  for (const path of ['/acme/team/rocket', '/acme/api/v4'])
    t.same(basesAround(new URL(`https://gitlab.com${path}`)), ['https://gitlab.com'], 'which is at its root')
})
