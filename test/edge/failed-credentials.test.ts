import t from 'tap'
import { FailedCredentials } from '../../src/edge/failed-credentials.ts'
import { failureLimits } from '../../src/fairness/credential-failures.ts'

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
