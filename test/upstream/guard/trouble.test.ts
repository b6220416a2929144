import t from 'tap'
import { troubleSampling } from '../../../src/log/sampled-lines.ts'
import { transportFault } from '../../../src/upstream/connections/transport-fault.ts'
import { ForgeError, Intercepted } from '../../../src/upstream/errors.ts'
import { adviceOn, TroubleLines, troubleIn } from '../../../src/upstream/guard/trouble.ts'
import { ForbiddenAddressError } from '../../../src/upstream/hosts/addresses.ts'
import { HostPolicy } from '../../../src/upstream/hosts/hosts.ts'

const lines = () => {
  const written: [fields: object, message: string][] = []
  return { written, troubles: new TroubleLines((...line) => void written.push(line), 'x') }
}

t.test('each kind of trouble has a line of its own, with the host, the cause and what to do', async t => {
  const { written, troubles } = lines()
  const cause = new Error('getaddrinfo ENOTFOUND forge.example')
  troubles.add('forge.example', new ForgeError('dns', 'its name is not found', { cause }))
  troubles.add('forge.example', 502)
  troubles.add('forge.example', 429)
  t.match(written, [
    [
      {
        trouble: 'dns',
        host: 'forge.example',
        says: /not found/,
        cause: cause.message,
        advice: adviceOn('dns')
      },
      'trouble with a forge'
    ],
    [{ trouble: '5xx', status: 502, advice: adviceOn('5xx') }, 'trouble with a forge'],
    [{ trouble: 'limited', status: 429, advice: /limits/ }, 'trouble with a forge']
  ])
})

t.test('the line says what was asked for, and the forge’s own id of the request', async t => {
  const { written, troubles } = lines()
  const at = '/projects/{project_id}/issues'
  troubles.add('x', 502, { at, requestId: '01JABC.d-9' })
  troubles.add('x', 500, { requestId: 'glpat-secret words' })
  troubles.add('x', new ForgeError('bad-answer', 'A page.'), { at: '/api/graphql' })
  t.match(written[0], [{ status: 502, at, forgeRequestId: '01JABC.d-9' }])
  t.notMatch(JSON.stringify(written[1]), 'glpat')
  t.match(written[2], [{ trouble: 'bad-answer', at: '/api/graphql' }])
})

t.test('what callers ask wrongly, and callers who leave, are no trouble', async t => {
  const { written, troubles } = lines()
  for (const none of [404, new ForgeError('cancelled', ''), new ForgeError('busy', '')])
    troubles.add('x', none)
  t.same(written, [])
})

t.test(
  'a forge that kept silent until its caller went is late, as one that kept silent to the end',
  async t => {
    const { written, troubles } = lines()
    troubles.add('x', new ForgeError('unanswered', 'It had not begun to answer.'))
    t.match(written, [[{ trouble: 'timeout', advice: adviceOn('timeout') }]])
  }
)

t.test('trouble with forges that callers name hides none with the home forge', async t => {
  const { written, troubles } = lines()
  for (let at = 0; at < troubleSampling.lines + 3; at++) troubles.add('a.example', new ForgeError('dns', ''))
  troubles.add('x', new ForgeError('dns', ''))
  t.match(written.at(-1), [{ trouble: 'dns', host: 'x' }])
  t.equal(written.length, troubleSampling.lines + 1)
})

t.test(
  'the line says what the forge said of its trouble, cut, and which proxy answered in its place',
  async t => {
    const written: object[] = []
    const troubles = new TroubleLines(fields => void written.push(fields), 'x', [
      'proxy.example:3128',
      'b',
      'b'
    ])
    troubles.add('x', 503, { says: 'Gitaly is away', retryAfter: 7 })
    troubles.add('x', 500, { says: 'x'.repeat(2000) })
    troubles.add('x', 502)
    troubles.add('x', new ForgeError('proxy', 'could not be reached'))
    const [first, long, silent, proxied] = written as Record<string, string>[]
    t.match(first, { trouble: '5xx', status: 503, retryAfter: 7, says: 'Gitaly is away' })
    t.equal(long?.says?.length, 300)
    t.strictSame(Object.keys(silent!).toSorted(), ['advice', 'host', 'status', 'trouble'])
    t.match(proxied, { trouble: 'proxy', host: 'x', proxy: 'proxy.example:3128 or b' })
  }
)

t.test(
  'the line of an odd answer, and of none in time, names the proxy that the host is asked through',
  async t => {
    const written: Record<string, string>[] = []
    const isProxied = (host: string) => host === 'x'
    const write = (fields: object) => void written.push(fields as Record<string, string>)
    const troubles = new TroubleLines(write, 'x', ['proxy.example:3128'], isProxied)
    for (const fault of ['bad-answer', 'timeout', 'unreachable'] as const)
      for (const host of ['x', 'left.example']) troubles.add(host, new ForgeError(fault, ''))
    t.same(
      written.filter(({ proxy }) => proxy !== undefined).map(({ trouble, host }) => [trouble, host]),
      [
        ['bad-answer', 'x'],
        ['timeout', 'x']
      ]
    )
  }
)

t.test('a file of authorities that was mended is not said to lack what it has by now', async t => {
  t.match(adviceOn('tls'), /is read at the start: restart after a change/)
})

t.test('of a certificate that is its own authority the line says to trust that, and of no other', async t => {
  const cause = Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  t.match(adviceOn('tls', cause), /set FORGE_CA_CERT_PATH to a file with that certificate itself.*restart/)
  t.notMatch(adviceOn('tls', cause), /authority/)
})

t.test('where no name server answers it may be that a network policy keeps it away', async t => {
  const cause = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
  t.match(adviceOn('dns', cause), /resolv\.conf.*network policies/)
})

t.test('where this process may open no more files it is not the forge that is to be checked', async t => {
  const cause = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })
  t.match(adviceOn('unreachable', cause), /^It is not the forge: .*ulimit -n/)
  t.match(transportFault(cause, 'http://forge.example', false), {
    fault: 'unreachable',
    message: /: this server can open no more connections \(EMFILE\)\.$/
  })
})

t.test('where the proxy speaks no TLS it is not the URL of the forge that is to be checked', async t => {
  const cause = Object.assign(new Error('wrong version'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' })
  t.match(adviceOn('tls', cause), /the URL of the forge/)
  t.match(adviceOn('proxy', cause), /^Check HTTP_PROXY, HTTPS_PROXY .*http:\/\//)
})

t.test('a storm of one kind hides neither its size nor another kind', async t => {
  const { written, troubles } = lines()
  for (let at = 0; at < troubleSampling.lines + 3; at++) troubles.add('x', new ForgeError('tls', ''))
  troubles.add('x', new ForgeError('proxy', ''))
  troubles.close()
  t.equal(written.length, troubleSampling.lines + 2)
  t.match(written.slice(-2), [
    [{ trouble: 'proxy' }],
    [{ trouble: 'tls', more: 3 }, 'more trouble with forges']
  ])
})

t.test('of a name server that does not answer the line says that, and not to check the name', async t => {
  const cause = Object.assign(new Error('getaddrinfo EAI_AGAIN forge.example'), { code: 'EAI_AGAIN' })
  t.match(adviceOn('dns', cause), /^The name server did not answer/)
  t.match(adviceOn('dns'), /^Check the name/)
})

t.test('who demands a certificate of this service is told apart from a forge that is not there', async t => {
  // Over TLS 1.3 the connection is made before the refusal comes.
  const required = Object.assign(new Error('alert'), { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' })
  t.match(transportFault(required, 'https://forge.example', false), { fault: 'tls' })
  for (const name of ['SSLV3_ALERT_HANDSHAKE_FAILURE', 'SSL/TLS_ALERT_HANDSHAKE_FAILURE'])
    t.match(
      adviceOn('tls', Object.assign(new Error('alert'), { code: `ERR_SSL_${name}` })),
      /certificate of its clients/
    )
  t.match(adviceOn('tls', required), /not supported/)
  t.match(adviceOn('proxy', required), /not supported/)
  const old = Object.assign(new Error('alert'), { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
  t.notMatch(adviceOn('tls', old), /not supported/)
})

t.test(
  'a name of FORGE_API_URL found at an address that is never asked is trouble, and a caller’s none',
  async t => {
    const origin = 'https://forge.example'
    const faultAt = (home?: string) => {
      const policy = new HostPolicy({ allowed: [], denyPrivate: false, ...(home !== undefined && { home }) })
      const { isHome } = policy.addresses(origin)
      return transportFault(new ForbiddenAddressError('forbidden', '198.18.0.7', isHome), origin, false)
    }
    const { written, troubles } = lines()
    troubles.add('x', faultAt(origin))
    t.match(written, [[{ trouble: 'dns', foundAt: '198.18.0.7', advice: /name server/ }]])
    t.equal(troubleIn(faultAt(origin)), 'dns')
    t.notMatch(faultAt(origin).message, '198.18', 'callers do not read the address')
    troubles.add('x', faultAt())
    t.equal(written.length, 1)
    t.equal(faultAt().fault, 'forbidden')
  }
)

t.test('a redirect that is not followed may well be of a forge', async t => {
  const { written, troubles } = lines()
  troubles.add('x', new Intercepted(301, 'The forge answered 301, a redirect that is not followed.'))
  troubles.add('x', new Intercepted(403, 'A page.'))
  t.match(written, [
    [{ status: 301, advice: /^Where it leads to the forge/ }],
    [{ advice: adviceOn('bad-answer') }]
  ])
})
