import t from 'tap'
import { FailedCredentials } from '../../../src/edge/callers/failed-credentials.ts'
import { failureLimits } from '../../../src/fairness/credential-failures.ts'

t.test('an expired token that goes on counts once, however many others are tried from a network', t => {
  const failed = new FailedCredentials(() => 0)
  const office = '192.0.2.1'
  for (let at = 2; at < failureLimits.failures; at++) failed.failed(`made up ${at}`, office, false)
  failed.failed('expired', office, false)
  for (let at = 0; at < failureLimits.addresses; at++)
    failed.failed('made up', `2001:db8:1:${at.toString(16)}::1`, false)
  failed.failed('expired', office, false)
  t.equal(
    failed.refuses(office, () => 'new here'),
    undefined
  )
  t.end()
})

t.test('a token that a forge has recently accepted is not made up, and counts no failure', async t => {
  const failed = new FailedCredentials(() => 0)
  for (let at = 0; at < failureLimits.failures; at++) {
    failed.taken(`good ${at}`)
    failed.failed(`good ${at}`, '192.0.2.1', false)
  }
  t.equal(
    failed.refuses('192.0.2.1', () => 'new here'),
    undefined
  )
})

t.test('a network of IPv6 fails as one address does', async t => {
  const failed = new FailedCredentials(() => 0)
  for (let at = 0; at < failureLimits.failures; at++)
    failed.failed('expired', `2001:db8:1:1::${(at + 1).toString(16)}`, false)
  t.equal(
    failed.refuses('2001:db8:1:1::ffff', () => 'new here'),
    undefined,
    'one token is one failure from all of it'
  )
  for (let at = 0; at < failureLimits.failures; at++)
    failed.failed(`made up ${at}`, `2001:db8:1:1::${(at + 1).toString(16)}`, false)
  t.ok(failed.refuses('2001:db8:1:1::ffff', () => 'new here'))
})

t.test('a token refused by a page of a proxy and by the forge itself counts among both', async t => {
  const failed = new FailedCredentials(() => 0)
  const refused = (byPage: boolean) => {
    for (let at = 0; at < failureLimits.failures; at++) failed.failed(`made up ${at}`, '192.0.2.1', byPage)
    return failed.refuses('192.0.2.1', () => 'new here')
  }
  t.equal(refused(true), undefined, 'pages judge no token, so that more of them are let through')
  t.equal(refused(false), 60)
})
