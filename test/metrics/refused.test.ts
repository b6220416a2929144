import t from 'tap'
import { Metrics } from '../../src/metrics/metrics.ts'

t.test('a refusal counts where its reason belongs, and one for the log alone nowhere', async t => {
  const metrics = new Metrics()
  const counts = () => [metrics.rejected.total(), metrics.authFailures.total()]
  metrics.refused('rate_limit')
  t.same(counts(), [1, 0])
  metrics.refused('missing')
  t.same(counts(), [1, 1])
  for (const reason of ['path', 'invalid_grant', undefined] as const) metrics.refused(reason)
  t.same(counts(), [1, 1])
})

t.test('a misspelt reason, which would count nothing, does not compile', async () => {
  // @ts-expect-error: it is rate_limit
  new Metrics().refused('rate_limits')
})
