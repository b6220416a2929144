import t from 'tap'
import { headBytes } from '../../../src/edge/requests/request-head.ts'
import { parameterOf, pathOf, rawQueryOf } from '../../../src/edge/requests/target.ts'

t.test('a target is a path and what is behind the first question mark', async t => {
  const parts = (url?: string) => [pathOf({ url }), rawQueryOf({ url })]
  t.same(parts('/mcp'), ['/mcp', ''])
  t.same(parts('/callback?code=a?b&state='), ['/callback', 'code=a?b&state='])
  t.same(parts(undefined), ['/', ''])
})

t.test('a parameter is found by its whole name, and as it was sent; of several none counts', async t => {
  const state = (query: string) => parameterOf({ url: `/callback${query}` }, 'state')
  t.equal(state('?state=v1.ps.a-_&code=1'), 'v1.ps.a-_')
  t.equal(state('?code=1&state=a%20b=c'), 'a%20b=c')
  t.equal(state('?state=1&state=2'), '')
  t.equal(state('?state='), '')
  for (const none of ['', '?', '?state', '?my_state=1', '?code=state=1'])
    t.equal(state(none), undefined, none)
})

t.test('a target counts as much of a head as its characters', async t => {
  const bytes = (url: string) => headBytes({ rawHeaders: ['host', 'a'], url })
  t.equal(bytes(`/mcp?${'0&'.repeat(5_000)}`) - bytes('/mcp?'), 10_000)
})
