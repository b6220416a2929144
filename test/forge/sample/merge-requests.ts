import { push } from '../model/history.ts'
import { addMergeRequest } from '../model/make.ts'
import { merge, refreshVersions } from '../model/merge-requests.ts'
import { startPipeline } from '../model/pipelines.ts'
import type { ForgeState } from '../state.ts'
import type { Files, MergeRequest, Project, User } from '../types.ts'
import { BATCHING, CHECKLIST, DRIFT, GAUGE, GAUGE_TWO, MAIN, ROCKET } from './code.ts'
import { person } from './people.ts'
import { BRANCH_PLANS, FAILING_PLANS, REVIEW_PLANS } from './plans.ts'
import { addedLine, remark, thread } from './threads.ts'

const HOUR = 3_600_000

interface Stage {
  state: ForgeState
  project: Project
  ada: User
  linus: User
  grace: User
  ago(hours: number): string
  base: string
  first: string
}

const branch = (
  stage: Stage,
  name: string,
  files: Files,
  parts: { author: User; message: string; hours: number; old?: boolean }
) =>
  push(stage.state, stage.project, name, {
    message: parts.message,
    author: parts.author,
    files,
    from: parts.old ? stage.first : stage.base,
    at: stage.ago(parts.hours)
  })

const pipeline = (
  stage: Stage,
  name: string,
  parts: { user: User; hours: number; plans: typeof BRANCH_PLANS }
) => {
  const { state, project } = stage
  const sha = project.branches.get(name)!.sha
  const at = state.now() - parts.hours * HOUR
  return startPipeline(state, project, {
    ref: name,
    sha,
    user: parts.user,
    source: 'push',
    plans: parts.plans,
    at
  })
}

/** !1 is merged, !2 was closed. */
const addPast = (stage: Stage) => {
  const { state, project, ada, linus, ago } = stage
  const pinned = { ...MAIN, '.nvmrc': '24\n' }
  branch(stage, 'chore/pin-compiler', pinned, { author: linus, message: 'Pin the compiler', hours: 100 })
  const parts = { sourceBranch: 'chore/pin-compiler', targetBranch: 'main', createdAt: ago(100) }
  const merged = addMergeRequest(state, project, { ...parts, title: 'Pin the compiler', author: linus })
  merged.approvals.push({ user: ada, at: ago(99) })
  merge(state, merged, ada, { mergeMessage: null, squashMessage: null, squash: false, removeSource: true })
  Object.assign(merged, { mergedAt: ago(98), updatedAt: ago(98) })
  branch(
    stage,
    'spike/guidance',
    { ...ROCKET, 'src/guidance.ts': 'export const steer = () => 0\n' },
    {
      author: ada,
      message: 'Try the new guidance loop',
      hours: 96,
      old: true
    }
  )
  const spike = { sourceBranch: 'spike/guidance', targetBranch: 'main', createdAt: ago(96) }
  addMergeRequest(state, project, {
    ...spike,
    title: 'Try the new guidance loop',
    author: ada,
    state: 'closed',
    closedAt: ago(90),
    closedBy: ada
  })
}

/** !3: two versions, a failing pipeline, one diff thread open and one thread resolved. */
const addGauge = (stage: Stage): MergeRequest => {
  const { state, project, ada, linus, grace, ago } = stage
  const name = 'feature/fuel-gauge'
  branch(stage, name, GAUGE, { author: linus, message: 'Add a fuel gauge', hours: 50 })
  pipeline(stage, name, { user: linus, hours: 50, plans: BRANCH_PLANS })
  const request = addMergeRequest(state, project, {
    title: 'Show remaining fuel on the dashboard',
    description: 'Closes #2.\n\n- [x] Gauge\n- [x] Dashboard\n- [ ] Screenshot',
    author: linus,
    assignees: [linus],
    reviewers: [ada],
    labels: ['telemetry'],
    milestone: project.milestones[0] ?? null,
    sourceBranch: name,
    targetBranch: 'main',
    createdAt: ago(49)
  })
  branch(stage, name, GAUGE_TWO, {
    author: linus,
    message: 'Show the gauge in percent on the dashboard',
    hours: 6
  })
  refreshVersions(state, request)
  pipeline(stage, name, { user: linus, hours: 6, plans: FAILING_PLANS })
  thread(state, request, {
    author: ada,
    body: 'This gives 3 for a quarter full tank. Percent needs `* 100`.',
    replies: [[linus, 'Right, I will fix it.']],
    position: addedLine(request, 'src/engine.ts', 16),
    at: ago(5)
  })
  thread(state, request, {
    author: grace,
    body: 'Does the wall display pick this up?',
    replies: [[linus, 'Yes, it reads the same dashboard.']],
    resolvedBy: grace,
    at: ago(4)
  })
  remark(state, request, ada, 'Nice. One thing to fix, then it can go.', ago(3))
  request.awards.push({ id: state.nextId('award'), name: 'rocket', user: grace, createdAt: ago(4) })
  return request
}

/** !4 is a draft, !5 has a conflict, !6 is approved and ready. */
const addOpen = (stage: Stage) => {
  const { state, project, ada, linus, ago } = stage
  branch(stage, 'feature/telemetry-batching', BATCHING, {
    author: ada,
    message: 'Batch telemetry packets',
    hours: 30
  })
  addMergeRequest(state, project, {
    title: 'Draft: Batch telemetry packets',
    author: ada,
    assignees: [ada],
    sourceBranch: 'feature/telemetry-batching',
    targetBranch: 'main',
    createdAt: ago(30)
  })
  branch(stage, 'fix/countdown-drift', DRIFT, {
    author: linus,
    message: 'Count time, not ticks',
    hours: 28,
    old: true
  })
  pipeline(stage, 'fix/countdown-drift', { user: linus, hours: 28, plans: BRANCH_PLANS })
  addMergeRequest(state, project, {
    title: 'Fix countdown drift after a hold',
    description: 'Closes #1',
    author: linus,
    reviewers: [ada],
    labels: ['bug', 'guidance'],
    sourceBranch: 'fix/countdown-drift',
    targetBranch: 'main',
    createdAt: ago(27)
  })
  branch(stage, 'docs/launch-checklist', CHECKLIST, {
    author: linus,
    message: 'Add the launch checklist',
    hours: 20
  })
  pipeline(stage, 'docs/launch-checklist', { user: linus, hours: 20, plans: REVIEW_PLANS })
  const ready = addMergeRequest(state, project, {
    title: 'Add the launch checklist',
    author: linus,
    reviewers: [ada],
    labels: ['documentation'],
    sourceBranch: 'docs/launch-checklist',
    targetBranch: 'main',
    createdAt: ago(19)
  })
  ready.approvals.push({ user: ada, at: ago(18) })
}

/** The merge requests of acme/rocket. */
export const addMergeRequests = (
  state: ForgeState,
  project: Project,
  first: string
): { gauge: MergeRequest } => {
  const stage: Stage = {
    state,
    project,
    ada: person(state, 'ada'),
    linus: person(state, 'linus'),
    grace: person(state, 'grace'),
    ago: hours => new Date(state.now() - hours * HOUR).toISOString(),
    base: project.branches.get('main')!.sha,
    first
  }
  addPast(stage)
  const gauge = addGauge(stage)
  addOpen(stage)
  return { gauge }
}
