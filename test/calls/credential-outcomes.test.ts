import t from 'tap'
import type { AuditLine } from '../../src/calls/audit.ts'
import { CallerNames } from '../../src/calls/caller-names.ts'
import { CredentialOutcomes, lineOfCall } from '../../src/calls/credential-outcomes.ts'
import { TriedTokens } from '../../src/edge/callers/tried-tokens.ts'
import type { Exchange } from '../../src/protocol/exchange/exchange.ts'
import { principalAt } from '../../src/session/credential.ts'
import type { Session } from '../../src/session/store.ts'

const other = 'https://other.example/api/v4'

const sessionAt = (apiUrl?: string): Session => ({
  credential: { kind: 'private-token', token: 'glpat-a' },
  apiUrl,
  activated: 0,
  version: '2025-11-25'
})

const exchangeAt = (apiUrl?: string) =>
  ({ session: sessionAt(apiUrl), from: '192.0.2.1', holder: '192.0.2.1', storedAs: 'key' }) as Exchange

/** News of calls to a forge where every user is ada, and what has come of them. */
function newsOf(areOperators: boolean) {
  const tried = new TriedTokens(() => 0)
  const told: unknown[] = []
  const client = { send: async () => ({ value: { username: 'ada' } }) }
  const news = new CredentialOutcomes({
    home: 'https://forge.example/api/v4',
    areOperators,
    forges: { lease: () => ({ client, host: '', release() {} }) as never },
    sessions: { vouch: (...vouched) => void told.push(vouched) },
    names: new CallerNames(() => 0),
    tried,
    onNamed: ({ user, upstream }) => void told.push([user, upstream]),
    onRefused: ({ token }) => void told.push(['refused', token])
  })
  return { news, tried, told }
}

const named = () => new Promise(resolve => setImmediate(resolve))

t.test('the operator’s forge vouches for a token and names its user', async t => {
  const { news, tried, told } = newsOf(false)
  const exchange = exchangeAt()
  news.onServed('caller', exchange)
  await named()
  t.same(told, [
    ['key', 'caller', true],
    ['ada', 'forge.example']
  ])
  t.ok(tried.wasTaken(principalAt(exchange.session)))
  t.equal(news.userOf(exchange.session), 'ada')
})

t.test('a forge that a caller names does so only where the operator lists it', async t => {
  for (const areOperators of [true, false]) {
    const { news, tried, told } = newsOf(areOperators)
    const exchange = exchangeAt(other)
    news.onServed('caller', exchange)
    news.onForbidden('caller', exchange)
    await named()
    t.same(told, [['key', 'caller', areOperators], ...(areOperators ? [['ada', 'other.example']] : [])])
    t.equal(tried.wasTaken(principalAt(exchange.session)), areOperators)
  }
})

t.test('a 403 names a user, and vouches for nothing', async t => {
  const { news, tried, told } = newsOf(false)
  const exchange = exchangeAt()
  news.onForbidden('caller', exchange)
  await named()
  t.same(told, [['ada', 'forge.example']])
  t.notOk(tried.wasTaken(principalAt(exchange.session)))
})

t.test('only a forge itself refuses a token, not the page of a proxy before it', async t => {
  const { news, told } = newsOf(false)
  news.onDenied(exchangeAt(), true)
  t.same(told, [])
  news.onDenied(exchangeAt(), false)
  t.same(told, [['refused', 'glpat-a']])
})

t.test(
  'a call of a token that no forge has taken, and of which nothing was sent, has a line of strangers',
  async t => {
    const tried = new TriedTokens(() => 0)
    const lines: string[] = []
    const line = {} as AuditLine
    const tell = lineOfCall(
      tried,
      () => lines.push('own'),
      () => lines.push('strangers’')
    )
    tell(line, false, sessionAt())
    tell(line, true, sessionAt())
    tried.taken(principalAt(sessionAt()))
    tell(line, false, sessionAt())
    t.same(lines, ['strangers’', 'own', 'own'])
  }
)
