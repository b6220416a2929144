import t from 'tap'
import { saidOfFilled, withAssumed } from '../../../src/engine/facts/reason.ts'
import { NoPlace } from '../../../src/results/problem.ts'

const assumed = { filled: 'acme/rocket' }

t.test('an empty page of GraphQL says which project stood in, and no record does', async t => {
  const only = /^Only "acme\/rocket" was looked at/
  const page = { pageInfo: { hasNextPage: false } }
  t.match(saidOfFilled({ work_items: [], ...page }, assumed, true), only)
  for (const value of [{ work_items: [{ iid: 1 }], ...page }, { title: 'x', labels: [] }, 'text'])
    t.equal(saidOfFilled(value, assumed, true), undefined)
  t.equal(saidOfFilled([], {}, true), undefined, 'where none did')
})

t.test('a project that GraphQL does not have is told as that of the server', async t => {
  const error = new NoPlace('project', 'acme/rocket')
  withAssumed(error, assumed, {}, { mayRun: () => true })
  t.match(error.reason, /^The default project of this server, "acme\/rocket", stood in, as none was named\.$/)
})
