import { LEVEL } from './access.ts'
import { push } from './model/history.ts'
import { addGroup, addIssue, addMember, addMergeRequest, addProject } from './model/make.ts'
import { addIteration, addLabel, addMilestone } from './model/plans.ts'
import { protect } from './model/protection.ts'
import { LANDING, MAIN, ROCKET, WEBSITE } from './sample/code.ts'
import { addIssues } from './sample/issues.ts'
import { addMergeRequests } from './sample/merge-requests.ts'
import { addOps } from './sample/ops.ts'
import { addToken, person } from './sample/people.ts'
import { addMainPipelines } from './sample/pipelines.ts'
import { addEpics, addVulnerabilities } from './sample/planning.ts'
import { BRANCH_PLANS, WEBSITE_PLANS } from './sample/plans.ts'
import type { ForgeState } from './state.ts'
import type { Group, Issue, MergeRequest, Project, User } from './types.ts'

const DAY = 86_400_000

const LABELS: [string, string, string][] = [
  ['bug', '#d9534f', 'Something is broken'],
  ['documentation', '#0033cc', 'Words'],
  ['guidance', '#8e44ad', 'Countdown and steering'],
  ['hardware', '#7f8c8d', 'Needs hands'],
  ['security', '#ff0000', 'Handle with care'],
  ['telemetry', '#1f75cb', 'Packets and plots']
]

const addRocket = (state: ForgeState, rocket: Project) => {
  for (const [name, color, description] of LABELS) addLabel(state, rocket, { name, color, description })
  const at = '2026-09-01T08:00:00.000Z'
  addMilestone(state, rocket, { title: '1.5', createdAt: at, updatedAt: at })
  addMember(state, rocket, person(state, 'grace'), LEVEL.reporter)
  rocket.formerPaths = ['acme/missile']
  rocket.ci = BRANCH_PLANS
  rocket.trains = []
  Object.assign(rocket.settings, {
    approvalsRequired: 1,
    pipelineMustSucceed: true,
    threadsMustBeResolved: true
  })
  for (const [name, tier] of [
    ['staging', 'staging'],
    ['production', 'production'],
    ['review/launch-checklist', 'development']
  ] as const) {
    const at = new Date(state.now() - 30 * DAY).toISOString()
    const externalUrl = `https://${name.replace('/', '-')}.acme.example`
    const id = state.nextId('environment')
    rocket.environments.push({
      id,
      name,
      externalUrl,
      tier,
      state: 'available',
      createdAt: at,
      updatedAt: at
    })
  }
}

const addTags = (state: ForgeState, rocket: Project, [first, second]: string[]) => {
  const { tags } = rocket.repository
  const message = 'Rocket 1.4'
  const target = state.hash('tag', rocket.id, 'v1.4.0', message)
  tags.set('v1.4.0', {
    name: 'v1.4.0',
    sha: first!,
    message,
    target,
    createdAt: rocket.commits.get(first!)!.createdAt
  })
  tags.set('nightly', { name: 'nightly', sha: second!, message: null, target: second!, createdAt: null })
}

/** Adds the labels, milestones and iterations that all projects of the group share. */
const addPlans = (state: ForgeState, group: Group) => {
  const day = (days: number) => new Date(state.now() + days * DAY).toISOString().slice(0, 10)
  addLabel(state, group, { name: 'customer', color: '#009966', description: 'Somebody waits for it' })
  addMilestone(state, group, { title: 'Autumn', startDate: day(-30), dueDate: day(30) })
  for (const week of [-2, -1, 0, 1]) addIteration(state, group, day(week * 7), day(week * 7 + 6))
}

const addWebsite = (state: ForgeState, website: Project): MergeRequest => {
  const ada = person(state, 'ada')
  const at = new Date(state.now() - 6 * DAY).toISOString()
  const main = push(state, website, 'main', { message: 'First page', author: ada, files: WEBSITE, at })
  push(state, website, 'landing', {
    message: 'Say it shorter',
    author: ada,
    files: LANDING,
    from: main.sha,
    at
  })
  protect(state, website, { name: 'main' })
  website.ci = WEBSITE_PLANS
  website.settings.approvalPassword = 'correct horse battery staple'
  addIssue(state, website, {
    title: 'Broken link in the footer',
    author: person(state, 'linus'),
    assignees: [ada],
    createdAt: at
  })
  const parts = {
    title: 'Say it shorter',
    author: ada,
    sourceBranch: 'landing',
    targetBranch: 'main',
    createdAt: at
  }
  return addMergeRequest(state, website, parts)
}

const addTodos = (state: ForgeState, drift: Issue, gauge: MergeRequest, landing: MergeRequest) => {
  const [ada, linus, grace] = ['ada', 'linus', 'grace'].map(name => person(state, name)) as [User, User, User]
  const rows: [User, User, string, Issue | MergeRequest, string][] = [
    [ada, linus, 'review_requested', gauge, gauge.title],
    [ada, grace, 'mentioned', drift, '@ada can you confirm the drift on the test stand?'],
    [ada, linus, 'assigned', landing, landing.title],
    [linus, linus, 'build_failed', gauge, gauge.title],
    [linus, ada, 'mentioned', gauge, '@linus the gauge should show percent.'],
    [linus, grace, 'assigned', drift, drift.title]
  ]
  for (const [index, [user, author, action, target, body]] of rows.entries()) {
    const at = new Date(state.now() - (rows.length - index) * 3_600_000).toISOString()
    state.todos.push({
      id: state.nextId('todo'),
      user,
      author,
      action,
      target,
      body,
      state: 'pending',
      createdAt: at,
      updatedAt: at
    })
  }
}

/** Fills a forge with the group acme and its projects rocket and website; adds a job token to the tokens. */
export const addSample = (state: ForgeState): Record<string, string> => {
  const group = addGroup(state, 'acme', 'Acme')
  group.proxy.blobs = Array.from({ length: 25 }, (_, index) => ({
    fileName: `${state.hash('blob', index)}.gz`,
    bytes: 1_048_576 * (index + 1),
    createdAt: new Date(state.now() - index * DAY).toISOString()
  }))
  group.proxy.ttl = 90
  const [margaret, ada, linus] = ['margaret', 'ada', 'linus'].map(name => person(state, name)) as [
    User,
    User,
    User
  ]
  addMember(state, group, margaret, LEVEL.owner)
  addMember(state, group, ada, LEVEL.maintainer, { createdBy: margaret })
  addMember(state, group, linus, LEVEL.developer, { createdBy: margaret })
  const tools = addGroup(state, 'tools', 'Tools', {
    parent: group,
    description: 'What rockets are made with'
  })
  const rocket = addProject(state, group, 'rocket', 'Rocket')
  const website = addProject(state, group, 'website', 'Website')
  addRocket(state, rocket)
  const landing = addWebsite(state, website)
  const hammer = addProject(state, tools, 'hammer', 'Hammer')
  hammer.description = 'Drives nails, and nothing else'
  const at = (days: number) => new Date(state.now() - days * DAY).toISOString()
  const first = push(state, rocket, 'main', {
    message: 'First flight',
    author: margaret,
    files: ROCKET,
    at: at(40)
  })
  const second = push(state, rocket, 'main', {
    message: 'Stop the countdown at zero\n\nCloses #3',
    author: ada,
    files: MAIN,
    at: at(5)
  })
  rocket.branches.set('release/1.4', { name: 'release/1.4', sha: first.sha, protected: false })
  protect(state, rocket, { name: 'main', merge: LEVEL.developer })
  protect(state, rocket, { name: 'release/*' })
  addTags(state, rocket, [first.sha, second.sha])
  const [drift] = addIssues(state, rocket) as [Issue]
  addEpics(state, group, drift)
  addVulnerabilities(state, rocket)
  const running = addMainPipelines(state, rocket, website, { first: first.sha, second: second.sha })
  const { gauge } = addMergeRequests(state, rocket, first.sha)
  addTodos(state, drift, gauge, landing)
  addPlans(state, group)
  addOps(state, rocket)
  return { job: addToken(state, 'glcbt-66_running00000000000', { user: ada, kind: 'job', job: running }) }
}
