import t from 'tap'
import { troubleSampling } from '../../../src/log/sampled-lines.ts'
import { transportFault } from '../../../src/upstream/connections/transport-fault.ts'
import { ForgeError, Intercepted } from '../../../src/upstream/errors.ts'
import { troubleIn } from '../../../src/upstream/guard/trouble.ts'
import { adviceOn } from '../../../src/upstream/guard/trouble-advice.ts'
import { TroubleLines } from '../../../src/upstream/guard/trouble-lines.ts'
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

t.test('what failed while the process stood still is not put down to the forge', async t => {
  const { written, troubles } = lines()
  troubles.add('x', new ForgeError('timeout', 'Late.'), { stoodStill: true })
  t.match(written, [[{ trouble: 'timeout', says: 'Late.', advice: /This process itself stood still/ }]])
})

t.test('what a standstill does not make fail keeps its own advice', async t => {
  const told = { stoodStill: true }
  const adviceOf = (error: ForgeError) => {
    const { written, troubles } = lines()
    troubles.add('x', error, told)
    return (written[0]![0] as { advice: string }).advice
  }
  for (const fault of ['dns', 'tls', 'proxy', 'bad-answer'] as const)
    t.equal(adviceOf(new ForgeError(fault, '')), adviceOn(fault), fault)
  const refused = Object.assign(new ForgeError('unreachable', ''), { isUnsent: true })
  t.equal(adviceOf(refused), adviceOn('unreachable'))
  t.match(adviceOf(new ForgeError('unreachable', 'It broke.')), /This process itself stood still/)
})

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
    troubles.add('x', 502, { retryAfter: 0 })
    troubles.add('x', new ForgeError('proxy', 'could not be reached'))
    const [first, long, silent, proxied] = written as Record<string, string>[]
    t.match(first, { trouble: '5xx', status: 503, retryAfter: 7, says: 'Gitaly is away' })
    t.equal(long?.says?.length, 300)
    t.strictSame(Object.keys(silent!).toSorted(), ['advice', 'host', 'status', 'trouble'])
    t.match(proxied, { trouble: 'proxy', host: 'x', proxy: 'proxy.example:3128 or b' })
  }
)

t.test(
  'the line of an odd answer, of none in time and of a broken way names the proxy that the host is asked through',
  async t => {
    const written: Record<string, string>[] = []
    const isProxied = (host: string) => host === 'x'
    const write = (fields: object) => void written.push(fields as Record<string, string>)
    const troubles = new TroubleLines(write, 'x', ['proxy.example:3128'], isProxied)
    const either = ['bad-answer', 'timeout', 'tls', 'unreachable'] as const
    for (const fault of [...either, 'dns'] as const)
      for (const host of ['x', 'left.example']) troubles.add(host, new ForgeError(fault, ''))
    t.same(
      written.filter(({ proxy }) => proxy !== undefined).map(({ trouble, host }) => [trouble, host]),
      either.map(fault => [fault, 'x'])
    )
  }
)

t.test(
  'a 5xx of a forge that is asked over plain http may be of the proxy, unless it has the forge’s own id',
  async t => {
    const written: Record<string, string>[] = []
    const write = (fields: object) => void written.push(fields as Record<string, string>)
    const troubles = new TroubleLines(write, 'x', ['proxy.example:3128'], host => host === 'x')
    troubles.add('x', 502, { isPlain: true })
    for (const [host, told] of [
      ['x', {}],
      ['x', { isPlain: true, requestId: '01JABC' }],
      ['left.example', { isPlain: true }]
    ] as const)
      troubles.add(host, 502, told)
    const [own, ...others] = written
    t.match(own, { trouble: '5xx', status: 502, proxy: 'proxy.example:3128', advice: /log of the proxy/ })
    for (const { proxy, advice } of others) t.same([proxy, advice], [undefined, adviceOn('5xx')])
  }
)

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
    t.equal(faultAt(origin).isUnsent, true, 'a change was not made')
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
