import t from 'tap'
import { judge, type Line, type Result, unknownIn } from './judge.ts'
import { print } from './page.ts'

const line = (results: readonly Result[]): Line => ({
  name: 'SDK',
  version: '1.2',
  mode: 'auto',
  revisions: ['2025-11-25'],
  results
})
const failing = { form: 'memory', scenario: 'call', failure: 'it said no' } as const
const known = {
  clients: ['SDK 1.2 (auto)'],
  forms: ['memory'],
  scenarios: ['call'],
  reason: 'It cannot.'
} as const

t.test('a failure that nobody expects is told with its reason', async t => {
  t.same(judge([line([failing])], []), {
    passed: 0,
    known: 0,
    unexpected: ['SDK 1.2 (auto), memory, call: it said no']
  })
})

t.test('an expected one is counted, in that client, form and scenario only', async t => {
  t.same(judge([line([failing])], [known]), { passed: 0, known: 1, unexpected: [] })
  for (const other of [
    { clients: ['SDK 1.3 (auto)'] },
    { forms: ['stateless'] as const },
    { scenarios: ['list'] as const }
  ])
    t.equal(judge([line([failing])], [{ ...known, ...other }]).unexpected.length, 1)
})

t.test('what works and is expected not to has to leave the list', async t => {
  const { unexpected } = judge([line([{ form: 'memory', scenario: 'call' }])], [known])
  t.match(unexpected[0], /works, so take it off/)
})

t.test('what was not tried neither passes nor fails', async t => {
  const result = { form: 'memory', scenario: 'call', cannot: 'It has none.' } as const
  t.same(judge([line([result])], [known]), { passed: 0, known: 0, unexpected: [] })
})

t.test('a name on the list that is nobody’s any more is told', async t => {
  t.same(unknownIn([known, { ...known, clients: ['SDK 1.1'] }], [line([])]), ['SDK 1.1'])
})

t.test(
  'the page says of each client what works, what does not, and what it does without its session',
  async t => {
    const page = print(
      [
        line([
          { form: 'memory', scenario: 'list' },
          failing,
          { form: 'memory', scenario: 'restart', note: 'new connection' },
          { form: 'stateless', scenario: 'restart', note: 'goes on' },
          { form: 'oauth memory', scenario: 'login', failure: 'no' },
          { form: 'memory', scenario: 'activate', cannot: 'It has no list.' }
        ])
      ],
      [known]
    )
    t.match(
      page,
      '| SDK 1.2 (auto) | 2025-11-25 | all but calling | works | works | does not work | new connection; stateless: goes on |'
    )
    t.match(
      print(
        [
          line([
            { form: 'oauth memory', scenario: 'login' },
            { form: 'oauth stateless', scenario: 'login', failure: 'no' },
            { form: 'oauth kept', scenario: 'renew', failure: 'no' },
            { form: 'oauth kept', scenario: 'login' }
          ])
        ],
        []
      ),
      '| all but stateless, renewing its login |'
    )
    t.match(page, '- **SDK 1.2 (auto)** (in memory): calling. It cannot.')
    t.match(page, '- **SDK**: switching toolsets on. It has no list.')
  }
)
