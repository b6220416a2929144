import { addIssue } from '../model/make.ts'
import type { ForgeState } from '../state.ts'
import type { Issue, Project } from '../types.ts'
import { person } from './people.ts'
import { remark, thread } from './threads.ts'

const DAY = 86_400_000

const GAUGE_TEXT = `The gauge keeps the value of the last burn until the page is reloaded.

Steps
=====

1. Burn for five seconds
2. Look at the dashboard

- [x] Reproduced on staging
- [ ] Fixed
- [ ] Release note`

/** The issues of acme/rocket. #1 … #6 tell a story, #7 … #30 fill more than one page. */
export const addIssues = (state: ForgeState, project: Project): Issue[] => {
  const [ada, linus, grace, margaret] = ['ada', 'linus', 'grace', 'margaret'].map(name =>
    person(state, name)
  ) as [Issue['author'], Issue['author'], Issue['author'], Issue['author']]
  const ago = (days: number) => new Date(state.now() - days * DAY).toISOString()
  const day = (days: number) => new Date(state.now() + days * DAY).toISOString().slice(0, 10)
  const [milestone = null] = project.milestones
  const drift = addIssue(state, project, {
    title: 'Countdown drifts after a hold',
    description: 'After a hold of ten minutes the countdown is 0.4 s late.',
    author: grace,
    assignees: [linus],
    labels: ['bug', 'guidance'],
    milestone,
    dueDate: day(-2),
    weight: 3,
    createdAt: ago(12)
  })
  const gauge = addIssue(state, project, {
    title: 'Fuel gauge shows stale values',
    description: GAUGE_TEXT,
    author: ada,
    assignees: [ada],
    labels: ['bug'],
    milestone,
    dueDate: day(0),
    createdAt: ago(9)
  })
  const described = addIssue(state, project, {
    title: 'Describe how to abort a launch',
    author: linus,
    labels: ['documentation'],
    state: 'closed',
    closedAt: ago(4),
    closedBy: ada,
    createdAt: ago(20)
  })
  described.planning.statusId = 3
  addIssue(state, project, {
    title: 'Rotate the ground station key',
    description: 'Found in an old log.',
    author: ada,
    assignees: [ada],
    confidential: true,
    labels: ['security'],
    createdAt: ago(3)
  })
  addIssue(state, project, {
    title: 'Telemetry lost for 40 seconds',
    author: margaret,
    assignees: [ada],
    type: 'incident',
    severity: 'HIGH',
    labels: ['telemetry'],
    createdAt: ago(2)
  })
  addIssue(state, project, {
    title: 'Add a payload bay light',
    author: grace,
    dueDate: day(5),
    createdAt: ago(1)
  })
  for (let number = 1; number <= 24; number++) {
    addIssue(state, project, {
      title: `Calibrate sensor S-${String(number).padStart(2, '0')}`,
      author: number % 2 ? linus : ada,
      type: 'task',
      labels: ['hardware'],
      createdAt: ago(60 - number)
    })
  }
  thread(state, drift, {
    author: linus,
    body: 'Is the hold counted in ticks or in time?',
    replies: [[grace, 'In ticks. That is the drift, I think.']],
    at: ago(11)
  })
  remark(state, drift, ada, 'Worth a look before the next release.', ago(10))
  remark(state, gauge, grace, 'Seen on the wall display too.', ago(8))
  drift.awards.push({ id: state.nextId('award'), name: 'thumbsup', user: ada, createdAt: ago(10) })
  state.links.push({
    id: state.nextId('link'),
    source: drift,
    target: gauge,
    type: 'relates_to',
    createdAt: ago(8)
  })
  return [drift, gauge]
}
