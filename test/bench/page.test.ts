import t from 'tap'
import { toolsets } from '../../tools/index.ts'
import { type PartsRow, page, partsTable, type Row, tables } from './page.ts'
import { type Scenario, verdictOf } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const scenario: Scenario = {
  name: 'one',
  title: 'one call',
  programs: { floor: 'floor', ours: 'ours', peer: 'peer' },
  measure: 'load',
  lines: []
}
const rate: Row = {
  scenario,
  line: {
    metric: 'rate',
    goals: [
      { of: 'ours', over: 'floor', ratio: 0.8 },
      { of: 'ours', over: 'peer', ratio: 5 }
    ],
    profile: 'Most of it is the sealing of ids.'
  },
  medians: { floor: 4000, ours: 3000, peer: 500 },
  failed: { peer: 0.125 }
}
const p99: Row = {
  scenario,
  line: { metric: 'p99', goals: [{ of: 'ours', over: 'floor', ratio: 1.3 }] },
  medians: { floor: 10, ours: 12.5 }
}
const setting = {
  node: 'v24.0.0',
  cpu: 'Some CPU',
  cores: 2,
  date: '2026-11-22',
  rounds: 5,
  seconds: 2,
  minutes: 9,
  pinned: true,
  load: 0.2,
  peer: 'a peer 1.0',
  floor: 'Fastify 5.0.0 and undici 7.0.0'
}

const parts: PartsRow[] = [
  { scenario, parts: { floor: { undici: 20 }, ours: { undici: 21.4, 'sessions, sealing': 0.2 } } }
]

t.test('the time of a call stands by its parts, without those that take none', async t => {
  t.same(partsTable(parts), [
    '|  | one: floor | one: ours |',
    '|---|--:|--:|',
    '| undici | 20 | 21 |',
    '| **together** | 20 | 22 |'
  ])
})

t.test('a figure stands with its ratio to the floor, and a goal with whether it is reached', async t => {
  t.match(
    tables([rate, p99]).join('\n'),
    '| one call | calls/s | 4,000 | 3,000 (0.75) | – | 500 (0.13), 12.5 % failed | ours ≥ 0.8 × floor; ours ≥ 5 × peer | missed by 6 %; met |'
  )
  t.match(tables([p99]).join('\n'), '| 10.0 | 12.5 (1.25) | – | – | ours ≤ 1.3 × floor | met |')
})

t.test('a goal that is missed stands on the page with what a profile says', async t => {
  t.match(
    page([rate, p99], parts, setting),
    /## Missed\n\n- \*\*one call, calls\/s\*\*.*missed by 6 %.*sealing of ids\.\n/
  )
  t.notMatch(page([p99], parts, setting), '## Missed')
})

t.test('a page says so where the machine was busy with something else', async t => {
  t.notMatch(page([p99], parts, setting), 'Not a quiet machine')
  t.match(
    page([p99], parts, { ...setting, load: 7.6 }),
    'when the run began, 8 other programs wanted its 2 cores'
  )
})

t.test('a figure is not held against nothing', async t => {
  t.match(
    tables([{ ...rate, failed: {}, medians: { floor: 0, ours: 0, peer: 0 } }]).join('\n'),
    '| 0 | 0 | – | 0 |'
  )
  t.match(tables([{ ...rate, medians: { floor: 0, ours: 0 } }]).join('\n'), 'not measured; not measured')
})

t.test('a goal whose program was not measured says so', async t => {
  t.match(tables([{ ...rate, medians: { floor: 4000, ours: 3600 } }]).join('\n'), '| met; not measured |')
})

t.test('less is better of times, and more of calls', async t => {
  const most = { of: 'ours', most: 20 } as const
  t.match(verdictOf(most, 'p99', { ours: 25 }), { met: false, missedBy: 0.25 })
  t.match(verdictOf(most, 'p99', { ours: 19 }), { met: true, missedBy: 0 })
  t.match(verdictOf(rate.line.goals[0]!, 'rate', { ours: 2, floor: 4 }), { met: false, missedBy: 0.375 })
})

t.test(
  'every scenario has a name of its own, measures for its goals, and calls tools that there are',
  async t => {
    t.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length)
    const tools = new Set(toolsets.flatMap(({ rows }) => rows.map(({ name }) => name)))
    for (const { name, programs, lines, sends = [] } of scenarios) {
      for (const { goals } of lines)
        for (const goal of goals)
          t.ok(goal.of in programs && (!('over' in goal) || goal.over in programs), name)
      for (const { method, params } of sends)
        if (method === 'tools/call') t.ok(tools.has((params as { name: string }).name), name)
    }
  }
)
