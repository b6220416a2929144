import t from 'tap'
import { apiBase, normalizeApiUrl } from '../../../src/upstream/hosts/url.ts'

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
    'http://'
  ])
    t.equal(normalizeApiUrl(given), undefined, given)
})

t.test('GraphQL lies beside REST, below the same prefix', async t => {
  t.same(apiBase('https://forge.example:8443/team/api/v4'), {
    origin: 'https://forge.example:8443',
    path: '/team/api/v4',
    graphqlPath: '/team/api/graphql'
  })
})
