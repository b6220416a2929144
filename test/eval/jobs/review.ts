import type { Forge } from '../../forge/index.ts'
import { push } from '../../forge/model/history.ts'
import { addMergeRequest } from '../../forge/model/make.ts'
import { refreshVersions } from '../../forge/model/merge-requests.ts'
import { startPipeline } from '../../forge/model/pipelines.ts'
import { addedLine, remark, thread } from '../../forge/sample/threads.ts'
import { type Job, unless } from '../job.ts'
import { ago, filesOf, ROCKET, replaced, rocketOf, who } from '../world.ts'

const TITLE = 'Count the countdown by the clock'
const BRANCH = 'feature/clock'

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

const CLOCK = lines(
  '/** Tells how much time passed, whatever became of the system time in between. */',
  'export class Clock {',
  '  #last = performance.now()',
  '',
  '  /** Seconds since it was asked the last time. */',
  '  elapsed() {',
  '    const now = performance.now()',
  '    const passed = (now - this.#last) / 1000',
  '    this.#last = now',
  '    return Math.max(0, passed)',
  '  }',
  '',
  '  reset() {',
  '    this.#last = performance.now()',
  '  }',
  '}'
)

const CLOCK_TEST = lines(
  'import { strict as assert } from "node:assert"',
  'import { test } from "node:test"',
  'import { Clock } from "../src/clock.ts"',
  '',
  ...[
    'starts at nothing',
    'never goes back',
    'can be set back',
    'counts a pause',
    'counts in seconds'
  ].flatMap(name => [
    `test("a clock ${name}", () => {`,
    '  const clock = new Clock()',
    '  assert.ok(clock.elapsed() >= 0)',
    '  clock.reset()',
    '  assert.ok(clock.elapsed() < 1)',
    '})',
    ''
  ])
)

/** A branch of two pushes with a merge request, threads that are settled and one that is open. */
export function addClock(forge: Forge) {
  const { state } = forge
  const rocket = rocketOf(forge)
  const [ada, linus, grace] = ['ada', 'linus', 'grace'].map(name => who(forge, name)) as [
    ReturnType<typeof who>,
    ReturnType<typeof who>,
    ReturnType<typeof who>
  ]
  const main = filesOf(forge)
  const first = {
    ...main,
    'src/clock.ts': replaced(CLOCK, 'Math.max(0, passed)', 'passed'),
    'src/launch.ts': replaced(
      main['src/launch.ts'],
      'Math.max(0, this.#remaining - 1)',
      'Math.max(0, this.#remaining - this.#clock.elapsed())'
    )
  }
  const second = {
    ...first,
    'src/clock.ts': CLOCK,
    'src/launch.ts': replaced(
      replaced(
        first['src/launch.ts'],
        'export class Countdown {',
        'import { Clock } from "./clock.ts"\n\nexport class Countdown {\n  readonly #clock = new Clock()'
      ),
      '    this.#held = false\n  }',
      '    this.#clock.reset()\n    this.#held = false\n  }'
    ),
    'test/clock.test.ts': CLOCK_TEST,
    'README.md': `${main['README.md']}\nThe countdown goes by a monotonic clock: setting the system time does not move it.\n`
  }
  const from = rocket.branches.get('main')!.sha
  push(state, rocket, BRANCH, {
    message: 'Count by the clock',
    author: linus,
    files: first,
    from,
    at: ago(30)
  })
  const request = addMergeRequest(state, rocket, {
    title: TITLE,
    description:
      'Ticks come late when the machine is busy, so that a hold of ten minutes costs up to half a second.\n\nThe countdown now asks a monotonic clock how much time passed. A hold sets the clock back when it ends.\n\nCloses #1',
    author: linus,
    assignees: [linus],
    reviewers: [ada],
    labels: ['bug', 'guidance'],
    milestone: rocket.milestones[0] ?? null,
    sourceBranch: BRANCH,
    targetBranch: 'main',
    createdAt: ago(29)
  })
  const parts = [
    [grace, 'Does this work while the system time is set?', 'Yes: performance.now() is monotonic.'],
    [ada, 'A word on it in the README, please.', 'Added.'],
    [ada, 'And tests.', 'There are five now.']
  ] as const
  for (const [author, body, answer] of parts)
    thread(state, request, { author, body, replies: [[linus, answer]], resolvedBy: author, at: ago(27) })
  thread(state, request, {
    author: ada,
    body: 'This can be negative where the clock is set back. Math.max(0, …)?',
    replies: [[linus, 'Right. Done in the second push, please have a look.']],
    position: addedLine(request, 'src/clock.ts', 10),
    at: ago(26)
  })
  push(state, rocket, BRANCH, { message: 'Never go back', author: linus, files: second, at: ago(5) })
  refreshVersions(state, request)
  remark(state, request, linus, 'All done from my side.', ago(4))
  const sha = rocket.branches.get(BRANCH)!.sha
  startPipeline(state, rocket, { ref: BRANCH, sha, user: linus, source: 'push', at: Date.parse(ago(5)) })
  return request
}

export const requestOf = (forge: Forge) => rocketOf(forge).mergeRequests.find(({ title }) => title === TITLE)!

export const review: Job = {
  id: 'review',
  title: 'Review and merge',
  task: 'Linus says that !7 of acme/rocket is ready. Where what you asked for in your open thread is done, resolve it, approve and merge; the branch goes.',
  as: 'ada',
  prepare: forge => void addClock(forge),
  missing: forge => {
    const { state, approvals, discussions, sourceBranch } = requestOf(forge)
    return unless({
      'it is merged': state === 'merged',
      'ada approved': approvals.some(({ user }) => user.username === 'ada'),
      'the thread is resolved': discussions.every(({ notes }) =>
        notes.every(({ resolvable, resolvedAt }) => !resolvable || resolvedAt !== null)
      ),
      'the branch is gone': !rocketOf(forge).branches.has(sourceBranch)
    })
  },
  ours: {
    toolsets: 'merge_requests',
    words: 'review merge request; submit review; merge it',
    async run(call) {
      const one = { project_id: ROCKET, merge_request_iid: '7' }
      const read = await call('review_merge_request', one)
      const { sha } = read.merge_request
      const [open] = read.unresolved_threads
      await call('submit_review', {
        ...one,
        sha,
        replies: [{ discussion_id: open.discussion_id, resolved: true }],
        verdict: 'approve'
      })
      await call('merge_merge_request', { ...one, sha, should_remove_source_branch: true })
    }
  },
  peer: {
    toolsets: 'merge_requests',
    async run(call) {
      const one = { project_id: ROCKET, merge_request_iid: '7' }
      const { sha } = await call('get_merge_request', { ...one, include_summaries: true })
      await call('get_merge_request_diffs', one)
      const { items } = await call('mr_discussions', one)
      // biome-ignore lint/suspicious/noExplicitAny: a forge's record
      const open = items.find(({ notes }: any) => notes[0].resolvable && !notes[0].resolved)
      await call('resolve_merge_request_thread', { ...one, discussion_id: open.id, resolved: true })
      await call('approve_merge_request', { ...one, sha })
      await call('merge_merge_request', { ...one, sha, should_remove_source_branch: true })
    }
  }
}
