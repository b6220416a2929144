import { issues } from '../../../tools/issues/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { runTable } from '../../support/tool-table.ts'

const rocket = { project_id: 'acme/rocket' }

const closing = (iid: string, status: number) => ({
  request: `PUT /projects/1/issues/${iid}`,
  body: { state_event: 'close' },
  reply: { status, body: status === 200 ? { iid: Number(iid), state: 'closed' } : {} }
})
const close = (...iids: string[]) => ({
  project_id: '1',
  issues: iids.map(issue_iid => ({ issue_iid, state_event: 'close' }))
})

runTable(issues, [
  {
    title: 'does not count as not done what may have been done',
    tool: 'update_issues',
    args: close('1', '2', '3'),
    exchanges: [
      closing('1', 200),
      closing('2', 500),
      closing('3', 403),
      { request: 'GET /projects/1', reply: { body: { archived: false } } }
    ],
    notices: ['1 of 3 were not done.', '1 of 3 may or may not have been done.']
  },
  {
    title: 'says of each that an empty text takes no labels away',
    tool: 'update_issues',
    args: {
      project_id: '1',
      issues: [
        { issue_iid: '1', state_event: 'close' },
        { issue_iid: '2', state_event: 'close', labels: '' }
      ]
    },
    exchanges: [closing('1', 200), closing('2', 200)],
    notices: ['issues.1: labels is as it was: empty text counts as not given, [] is for none.']
  },
  {
    title: 'does not say that nothing was done where something may have been',
    tool: 'update_issues',
    args: close('1', '2'),
    exchanges: [
      closing('1', 500),
      closing('2', 403),
      { request: 'GET /projects/1', reply: { body: { archived: false } } }
    ],
    error: /^1 of 2 were not done\. 1 of 2 may or may not have been done\. issues\.0 \(#1\): .*500/
  },
  {
    title: 'says once that nothing was done, though each problem would say it of its own',
    tool: 'update_issues',
    args: close('1', '2'),
    exchanges: ['1', '2'].map(iid => ({
      ...closing(iid, 403),
      reply: { status: 403, body: { error: 'insufficient_scope' } }
    })),
    error: /^Nothing was done\. issues\.0 \(#1\), issues\.1 \(#2\): .*scope(?!.*Nothing was done)/
  },
  {
    title: 'shows a day and a weight that the forge keeps though they were to be taken away',
    tool: 'update_issues',
    args: {
      project_id: '1',
      issues: [
        { issue_iid: '1', due_date: '', weight: '' },
        { issue_iid: '2', due_date: '' }
      ]
    },
    exchanges: [
      { iid: 1, body: { due_date: '', weight: null } },
      { iid: 2, body: { due_date: '' } }
    ].map(({ iid, body }) => ({
      request: `PUT /projects/1/issues/${iid}`,
      body,
      reply: { body: { iid, state: 'opened', due_date: '2026-01-02', weight: 3 } }
    })),
    result: [
      { iid: 1, state: 'opened', due_date: '2026-01-02', weight: 3 },
      { iid: 2, state: 'opened', due_date: '2026-01-02' }
    ]
  }
])

story('several issues are changed in one call, each in its own way', [issues], async (t, as) => {
  const { value, notices } = await as('ada')('update_issues', {
    ...rocket,
    issues: [
      { issue_iid: '1', add_labels: ['security'], assignee_ids: ['ada', 'grace'], milestone_id: '1.5' },
      { issue_iid: 2, state_event: 'close' },
      { issue_iid: '#6', labels: 'hardware,bug' }
    ]
  })
  t.same(
    value,
    [
      {
        iid: 1,
        state: 'opened',
        labels: ['bug', 'guidance', 'security'],
        assignees: [{ username: 'ada' }, { username: 'grace' }],
        milestone: { title: '1.5' }
      },
      { iid: 2, state: 'closed' },
      { iid: 6, state: 'opened', labels: ['hardware', 'bug'] }
    ],
    'of each what was asked for, and nothing else'
  )
  t.same(notices, [])
})

story('an issue that cannot be changed says why, and the others are', [issues], async (t, as) => {
  const { value, notices } = await as('ada')('update_issues', {
    ...rocket,
    issues: [
      { issue_iid: '999', state_event: 'close' },
      { issue_iid: '1', labels: ['bug'], add_labels: ['security'] },
      { issue_iid: '2', weight: 5 },
      { issue_iid: '3' }
    ]
  })
  t.match(value[0], { issue_iid: '999', problem: /404.*issue_iid is the number in the project/s })
  t.match(value[1], { issue_iid: '1', problem: /labels/ })
  t.match(value[2], { iid: 2, weight: 5 })
  t.match(value[3], { issue_iid: '3', problem: /Nothing to update/ })
  t.match(notices, ['3 of 4 were not done.'])
})

story('an issue that names who has it is said by their name', [issues], async (t, as) => {
  const { value, notices } = await as('ada')('update_issues', {
    ...rocket,
    issues: [
      { issue_iid: '1', add_labels: ['bug'] },
      { issue_iid: '2', assignee_ids: ['@linus'] }
    ]
  })
  t.same(notices, [])
  t.same(value[1].assignees, [{ username: 'linus' }])
})

story('where no issue could be changed the call has failed', [issues], async (t, as) => {
  const all = [
    { issue_iid: '1', state_event: 'close' },
    { issue_iid: '2', state_event: 'close' }
  ]
  t.match(
    (await as('reader')('update_issues', { ...rocket, issues: all })).error,
    /^Nothing was done\. issues\.0 \(#1\), issues\.1 \(#2\): .*403/s
  )
  const ada = as('ada')
  const each = [
    { issue_iid: '#2', labels: ['bug'], add_labels: ['security'] },
    { issue_iid: 999, state_event: 'close' }
  ]
  t.match(
    (await ada('update_issues', { ...rocket, issues: each })).error,
    /^Nothing was done\. issues\.0 \(#2\): .*labels.* issues\.1 \(#999\): .*404/s
  )
  const noDay = [{ issue_iid: '1', due_date: '2026-11-31' }, all[1]]
  t.match(
    (await ada('update_issues', { ...rocket, issues: noDay })).error,
    /issues\.0\.due_date must be a date/
  )
  t.match((await ada('update_issues', { ...rocket, issues: [] })).error, /issues/)
  t.match((await ada('update_issues', { ...rocket, issues: [...all, all[0]] })).error, /issue_iid "1" twice/)
  const again = { issue_iid: 'acme/rocket#1', title: 'x' }
  t.match(
    (await ada('update_issues', { ...rocket, issues: [...all, again] })).error,
    /issue_iid "1" twice/,
    'however it is named'
  )
  const issue_iid = `https://forge.example/acme/rocket/-/issues/1?${'x'.repeat(4_000)}`
  const long = Array.from({ length: 5 }, () => ({ issue_iid, state_event: 'close' }))
  t.match(
    (await ada('update_issues', { ...rocket, issues: long })).error,
    /^The addresses in this call have more than 8192 characters together/
  )
  t.equal((await ada('get_issue', { ...rocket, issue_iid: '1' })).value.state, 'opened', 'nothing is sent')
  const many = Array.from({ length: 51 }, (_, at) => ({ issue_iid: String(at + 1), state_event: 'close' }))
  t.match((await ada('update_issues', { ...rocket, issues: many })).error, /50/)
})
