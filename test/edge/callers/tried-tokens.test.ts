import t from 'tap'
import { TriedTokens } from '../../../src/edge/callers/tried-tokens.ts'
import { failureLimits } from '../../../src/fairness/credential-failures.ts'

t.test('an expired token that goes on counts once, however many others are tried from a network', t => {
  const tried = new TriedTokens(() => 0)
  const office = '192.0.2.1'
  for (let at = 2; at < failureLimits.failures; at++) tried.failed(`made up ${at}`, office, false)
  tried.failed('expired', office, false)
  for (let at = 0; at < failureLimits.addresses; at++)
    tried.failed('made up', `2001:db8:1:${at.toString(16)}::1`, false)
  tried.failed('expired', office, false)
  t.equal(
    tried.refuses(office, () => 'new here'),
    undefined
  )
  t.end()
})

t.test('a token that a forge has recently accepted is not made up, and counts no failure', async t => {
  const tried = new TriedTokens(() => 0)
  for (let at = 0; at < failureLimits.failures; at++) {
    tried.taken(`good ${at}`)
    tried.failed(`good ${at}`, '192.0.2.1', false)
  }
  t.equal(
    tried.refuses('192.0.2.1', () => 'new here'),
    undefined
  )
})

t.test('a network of IPv6 fails as one address does', async t => {
  const tried = new TriedTokens(() => 0)
  for (let at = 0; at < failureLimits.failures; at++)
    tried.failed('expired', `2001:db8:1:1::${(at + 1).toString(16)}`, false)
  t.equal(
    tried.refuses('2001:db8:1:1::ffff', () => 'new here'),
    undefined,
    'one token is one failure from all of it'
  )
  for (let at = 0; at < failureLimits.failures; at++)
    tried.failed(`made up ${at}`, `2001:db8:1:1::${(at + 1).toString(16)}`, false)
  t.ok(tried.refuses('2001:db8:1:1::ffff', () => 'new here'))
})

t.test('a token refused by a page of a proxy and by the forge itself counts among both', async t => {
  const tried = new TriedTokens(() => 0)
  const refused = (byPage: boolean) => {
    for (let at = 0; at < failureLimits.failures; at++) tried.failed(`made up ${at}`, '192.0.2.1', byPage)
    return tried.refuses('192.0.2.1', () => 'new here')
  }
  t.equal(refused(true), undefined, 'pages judge no token, so that more of them are let through')
  t.equal(refused(false), 60)
})
