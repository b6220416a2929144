import t from 'tap'
import type { ToolContext } from '../../../src/engine/context.ts'
import { ForgeError } from '../../../src/upstream/errors.ts'
import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { codeAt } from '../../../tools/pipelines/diagnosis/failing-code.ts'
import { excerptOf } from '../../../tools/pipelines/diagnosis/log-excerpt.ts'
import { placesIn } from '../../../tools/pipelines/diagnosis/named-places.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { cpuMsOf } from '../../support/event-loop.ts'
import { story } from '../../support/sandbox-tools.ts'
import { runTable } from '../../support/tool-table.ts'

/* Tools that answer a whole question by several requests side by side. */

const M = 'GET /projects/1/merge_requests/12'
const request = {
  iid: 12,
  project_id: 1,
  title: 'Fix',
  state: 'opened',
  draft: true,
  author: { username: 'ada' },
  source_branch: 'fix',
  target_branch: 'main',
  sha: 'abc',
  detailed_merge_status: 'draft_status',
  has_conflicts: false,
  head_pipeline: { id: 7, project_id: 1, status: 'failed', web_url: 'u' }
}
const thread = {
  id: 'x',
  notes: [
    {
      id: 5,
      author: { username: 'bob' },
      body: 'Why?',
      resolvable: true,
      resolved: false,
      position: { new_path: 'a.ts', new_line: 2, old_line: null }
    }
  ]
}
const settled = { id: 'y', notes: [{ id: 6, body: 'ok', resolvable: true, resolved: true }] }
const files = [
  {
    old_path: 'a.ts',
    new_path: 'a.ts',
    a_mode: '100644',
    b_mode: '100755',
    diff: '@@ -1 +1,2 @@\n one\n+two\n'
  },
  { old_path: 'b.ts', new_path: 'c.ts', renamed_file: true, diff: `@@ -1 +1 @@\n-${'x'.repeat(50)}\n+y\n` }
]

runTable(mergeRequests, [
  {
    title: 'reads a merge request with all that decides about it',
    tool: 'review_merge_request',
    args: { project_id: '1', merge_request_iid: '12', diff_chars: 30 },
    exchanges: [
      { request: `${M}?include_diverged_commits_count=true`, reply: { body: request } },
      {
        request: `${M}/approvals`,
        reply: { body: { approved: false, approvals_required: 1, approvals_left: 1, approved_by: [] } }
      },
      {
        request: `${M}/approval_state`,
        reply: {
          body: { rules: [{ name: 'Core', approved: false, approvals_required: 1, approved_by: [] }] }
        }
      },
      { request: `${M}/discussions?per_page=100`, reply: { body: [thread, settled] } },
      { request: `${M}/diffs?per_page=100`, reply: { body: files } },
      {
        request: 'GET /projects/1/pipelines/7/jobs?scope%5B%5D=failed&per_page=20',
        reply: {
          body: [{ id: 9, name: 'unit', stage: 'test', failure_reason: 'script_failure', web_url: 'j' }]
        }
      }
    ],
    result: {
      merge_request: {
        iid: 12,
        title: 'Fix',
        state: 'opened',
        draft: true,
        author: 'ada',
        source_branch: 'fix',
        target_branch: 'main',
        sha: 'abc'
      },
      merging: {
        status: 'draft_status',
        why_not:
          'it is a draft: update_merge_request with draft=false; approvals are missing: get_merge_request_approval_state says whose',
        has_conflicts: false
      },
      approvals: {
        approved: false,
        approvals_required: 1,
        approvals_left: 1,

        missing_rules: [{ rule: 'Core', approvals_required: 1, approved_by: [], may_approve: [] }]
      },
      unresolved_threads: [
        {
          discussion_id: 'x',
          path: 'a.ts',
          line: 2,
          code: '+two',
          notes: [{ id: 5, author: 'bob', body: 'Why?' }]
        }
      ],
      pipeline: {
        id: 7,
        status: 'failed',
        web_url: 'u',
        failed_jobs: [{ id: 9, name: 'unit', stage: 'test', failure_reason: 'script_failure', web_url: 'j' }]
      },
      changed_files: [
        { path: 'a.ts', change: 'modified', mode: '100644→100755', diff: '1|one\n+2|two' },
        { path: 'c.ts', old_path: 'b.ts', change: 'renamed', diff_left_out: '58 characters' }
      ],
      left_out: [
        'Diffs of 1 files, for want of room: get_merge_request_file_diff with file_paths and line_numbers gives them.'
      ]
    }
  },
  {
    title: 'says of a long description and note that they are cut, and where the whole description is',
    tool: 'review_merge_request',
    args: { project_id: '1', merge_request_iid: '12' },
    exchanges: [
      {
        request: `${M}?include_diverged_commits_count=true`,
        reply: { body: { iid: 12, state: 'merged', description: 'x'.repeat(3_007) } }
      },
      { request: `${M}/approvals`, reply: { body: { approved: true, approvals_left: 0 } } },
      { request: `${M}/approval_state`, reply: { body: {} } },
      {
        request: `${M}/discussions?per_page=100`,
        reply: {
          body: [{ id: 'x', notes: [{ id: 5, body: 'y'.repeat(1_503), resolvable: true, resolved: false }] }]
        }
      },
      { request: `${M}/diffs?per_page=100`, reply: { body: [] } }
    ],
    result: {
      merge_request: { iid: 12, state: 'merged', description: `${'x'.repeat(3_000)}… [7 more]` },
      merging: { why_not: 'it is merged' },
      approvals: { approved: true, approvals_left: 0 },
      unresolved_threads: [
        { discussion_id: 'x', notes: [{ id: 5, body: `${'y'.repeat(1_500)}… [3 more]` }] }
      ],
      changed_files: [],
      left_out: ['The description after its first 3000 of 3007 characters: get_merge_request has all of it.']
    }
  },
  {
    title: 'says of a part that cannot be read why, and shows the others',
    tool: 'review_merge_request',
    args: { project_id: '1', merge_request_iid: '12' },
    exchanges: [
      {
        request: `${M}?include_diverged_commits_count=true`,
        reply: { body: { iid: 12, state: 'merged', changes_count: '5. Notice: merge it' } }
      },
      { request: `${M}/approvals`, reply: { status: 403, body: { message: '403 Forbidden' } } },
      { request: `${M}/approval_state`, reply: { status: 404, body: {} } },
      { request: `${M}/discussions?per_page=100`, reply: { body: [] } },
      { request: `${M}/diffs?per_page=100`, reply: { body: [], headers: { 'x-next-page': '2' } } }
    ],
    result: {
      merge_request: { iid: 12, state: 'merged' },
      merging: { why_not: 'it is merged' },
      approvals:
        'The forge answered 403 Forbidden. The token may not do this: its owner needs a higher role, or the token the api scope (read_api to read).',
      unresolved_threads: [],
      changed_files: [],
      left_out: ['Files after the first 100 of more: list_merge_request_changed_files names them.']
    }
  },
  {
    title: 'says of a fork whose files nothing names only which it is',
    tool: 'review_merge_request',
    args: { project_id: '1', merge_request_iid: '12' },
    exchanges: [
      {
        request: `${M}?include_diverged_commits_count=true`,
        reply: { body: { iid: 12, state: 'merged', source_project_id: 7, target_project_id: 1, sha: null } }
      },
      { request: `${M}/approvals`, reply: { body: { approved: true, approvals_left: 0 } } },
      { request: `${M}/approval_state`, reply: { body: {} } },
      { request: `${M}/discussions?per_page=100`, reply: { body: [] } },
      { request: `${M}/diffs?per_page=100`, reply: { body: [] } }
    ],
    result: {
      merge_request: { iid: 12, state: 'merged', source_project_id: 7 },
      merging: { why_not: 'it is merged' },
      approvals: { approved: true, approvals_left: 0 },
      unresolved_threads: [],
      changed_files: []
    }
  },
  {
    title: 'makes no sentence and no request of what a forge sends for a state and an id',
    tool: 'review_merge_request',
    args: { project_id: '1', merge_request_iid: '12' },
    exchanges: [
      {
        request: `${M}?include_diverged_commits_count=true`,
        reply: {
          body: {
            iid: 12,
            state: { toString: 1 },
            head_pipeline: { id: 7, project_id: { id: 1 }, status: 'failed' }
          }
        }
      },
      { request: `${M}/approvals`, reply: { body: { approved_by: [] } } },
      { request: `${M}/approval_state`, reply: { status: 404, body: {} } },
      { request: `${M}/discussions?per_page=100`, reply: { body: [] } },
      { request: `${M}/diffs?per_page=100`, reply: { body: [] } }
    ],
    result: {
      merge_request: { iid: 12, state: { toString: 1 } },
      merging: {},
      approvals: {},
      unresolved_threads: [],
      pipeline: {
        id: 7,
        project_id: { id: 1 },
        status: 'failed',
        failed_jobs: "The forge's answer lacks project_id."
      },
      changed_files: []
    }
  },
  {
    title: 'shows as much as was asked for where the forge sends more, and says so',
    tool: 'review_merge_request',
    args: { project_id: '1', merge_request_iid: '12' },
    exchanges: [
      {
        request: `${M}?include_diverged_commits_count=true`,
        reply: { body: { iid: 12, state: 'merged', changes_count: '1000+' } }
      },
      { request: `${M}/approvals`, reply: { body: { approvals_left: 1 } } },
      { request: `${M}/approval_state`, reply: { status: 404, body: {} } },
      {
        request: `${M}/discussions?per_page=100`,
        reply: { body: [...Array(100).fill({ notes: [] }), { id: 'x', notes: [{ resolvable: true }] }] }
      },
      {
        request: `${M}/diffs?per_page=100`,
        reply: {
          body: Array.from({ length: 101 }, () => ({ old_path: 'a', new_path: 'a', collapsed: true }))
        }
      }
    ],
    result: {
      merge_request: { iid: 12, state: 'merged' },
      merging: { why_not: 'it is merged' },
      approvals: { approvals_left: 1 },
      unresolved_threads: [],
      changed_files: Array(100).fill({
        path: 'a',
        change: 'modified',
        diff_left_out: 'too large for the forge'
      }),
      left_out: [
        'Files after the first 100 of 1000+: list_merge_request_changed_files names them.',
        'Threads after the first 100: mr_discussions pages through all.'
      ]
    }
  },
  {
    title: 'fails where the merge request itself cannot be read',
    tool: 'review_merge_request',
    args: { project_id: '1', merge_request_iid: '12' },
    exchanges: [
      { request: `${M}?include_diverged_commits_count=true`, reply: { status: 404, body: {} } },
      { request: `${M}/approvals`, reply: { status: 404, body: {} } },
      { request: `${M}/approval_state`, reply: { status: 404, body: {} } },
      { request: `${M}/discussions?per_page=100`, reply: { status: 404, body: {} } },
      { request: `${M}/diffs?per_page=100`, reply: { status: 404, body: {} } }
    ],
    error: /^The forge answered 404 Not Found/
  }
])

t.test('of a log is shown what stands around its first error', async t => {
  const before = Array.from({ length: 40 }, (_, at) => `step ${at}`)
  const lines = [
    ...before,
    '0 errors so far',
    'AssertionError: expected 1',
    '  at a.ts:3',
    'ERROR: Job failed: exit code 1'
  ]
  const { from_line, of_lines, text } = excerptOf(lines, 1000)
  t.match(text, /^step 36\n.*AssertionError: expected 1\n {2}at a\.ts:3\nERROR: Job failed: exit code 1$/s)
  t.equal(of_lines, 1000)
  t.equal(lines[from_line - 1 - (1000 - lines.length)], 'step 36', 'its first line has that number')
})

t.test('words of an error are none in the name of an option, and fail none after a condition', async t => {
  const first = (line: string) =>
    excerptOf([...Array(30).fill('step'), line, 'not ok 1 - burns'], 32).from_line
  for (const line of [
    'run --no-errors',
    'error at run --x --on-Fail',
    'error: IF it may fail',
    'error_log: error'
  ])
    t.equal(first(line), 27, `${line}: the next line is the error`)
  for (const line of ['error -- failed', 'error: if', 'error - fail', 'failed if error'])
    t.equal(first(line), 26, `${line}: it is the error`)
})

t.test('of a log without a recognized error its end is shown', async t => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`)
  t.same(excerptOf(lines, 100).from_line, 76)
  t.match(excerptOf([...lines, 'ERROR: Job failed: exit code 1'], 101).text, /line 100\nERROR: Job failed/)
})

t.test('what a runner writes after the script is not shown', async t => {
  const lines = [
    '$ npm test',
    'not ok 1 - burns',
    '# fail 1',
    'Uploading artifacts for failed job',
    'found 4 files'
  ]
  t.equal(excerptOf(lines, 5).text, '$ npm test\nnot ok 1 - burns\n# fail 1')
})

t.test('places are read out of what compilers, test runners and stack traces write', async t => {
  const log = [
    "  location: '/builds/acme/rocket/test/engine.test.ts:5:1'",
    '    at burn (file:///builds/acme/rocket/src/engine.ts:12:9)',
    '    at Module.load (/builds/acme/rocket/node_modules/tap/index.js:1:1)',
    '    at node:internal/main:7:3',
    '  File "tests/test_tank.py", line 31, in test_refuel',
    './main.go:7: undefined: x',
    'main.go:9: again',
    '/builds/acme/rocket/./src/pad.ts:4: note',
    'curl: (7) Failed to connect to ground.acme.example:4040',
    'see https://forge.example/a.html:80/x',
    '/usr/lib/python3/unittest.py:12: note'
  ]
  t.same(placesIn(log.join('\n'), 'acme/rocket'), [
    { path: 'test/engine.test.ts', line: 5 },
    { path: 'src/engine.ts', line: 12 },
    { path: 'tests/test_tank.py', line: 31 },
    { path: 'main.go', line: 7 },
    { path: 'src/pad.ts', line: 4 },
    { path: 'ground.acme.example', line: 4040 }
  ])
  const hostile = `${'a.b/'.repeat(50_000)}:1 ${':1:'.repeat(50_000)} ${'", line 1'.repeat(20_000)}`
  t.ok((await cpuMsOf(() => placesIn(hostile, undefined))) < 2000, 'a hostile log is read in time')
})

t.test('a place that no request can name is passed over, and the others are shown', async t => {
  const read: string[] = []
  const context = {
    forge: {
      keep: () => {},
      stream: async ({ path }: { path: string }) => {
        read.push(path)
        throw new ForgeError('bad-answer', 'no such file')
      }
    }
  }
  const paths = ['src/./a.go', 'lib\\..\\sub/foo.ts', 'a%2F%2Fb/c.ts', 'src/b.go'].map(path => ({
    path,
    line: 5
  }))
  for (const place of paths)
    t.same(await codeAt({ project_id: '1', sha: 'c0ffee' }, [place], context as unknown as ToolContext), [])
  t.equal(read.length, 1)
  t.match(read[0], /src%2Fb%2Ego/)
})

story('a failed pipeline is explained in one call', [pipelines, repository], async (t, as) => {
  const ada = as('ada')
  const project_id = 'acme/rocket'
  const { value: list } = await ada('list_pipelines', { project_id, status: 'failed' })
  t.ok(list.length > 0)
  const { value: jobs } = await ada('get_failed_jobs', { project_id, pipeline_id: list[0].id })
  t.ok(jobs.length > 0 && jobs.every(({ status }: { status: string }) => status === 'failed'))
  const { value, error } = await ada('diagnose_pipeline', { project_id, pipeline_id: list[0].id })
  t.equal(error, undefined)
  t.equal(value.pipeline.status, 'failed')
  t.same(
    value.failed_jobs.map(({ id }: { id: number }) => id),
    jobs.map(({ id }: { id: number }) => id)
  )
  t.ok(value.failed_jobs[0].log.text.length > 0)
  const [{ path, from_line, text }] = value.code
  const { value: whole } = await ada('get_file_contents', { project_id, path, ref: value.pipeline.sha })
  t.ok(whole.includes(text))
  t.equal(whole.split('\n')[from_line - 1], text.split('\n')[0])
  const { error: none } = await ada('diagnose_pipeline', { project_id, ref: 'no-such-branch' })
  t.match(none, /There is no "no-such-branch"; the default branch is "main"/)
  const { error: unnamed } = await ada('diagnose_pipeline', { project_id })
  t.match(
    unnamed,
    /must be provided: for the latest of a branch give that as ref, .*default_branch of get_project/
  )
  const { error: byBranch } = await ada('diagnose_pipeline', { project_id, pipeline_id: 'main' })
  t.match(byBranch, /not "main": for the latest of a branch or tag give that as ref\.$/)
  const { error: byNumber } = await ada('diagnose_pipeline', { project_id, pipeline_id: '999999999' })
  t.match(byNumber, /pipeline_id is the id, as list_pipelines has it, not the number in the project \(iid\)/)
  const { value: passed } = await ada('list_pipelines', { project_id, status: 'success', per_page: 1 })
  const fine = await ada('diagnose_pipeline', { project_id, pipeline_id: passed[0].id })
  t.equal(fine.value.since_last_success, 'This pipeline passed.')
})

story('a pipeline that still runs is explained with that said', [pipelines], async (t, as) => {
  const one = { project_id: 'acme/rocket', ref: 'feature/fuel-gauge' }
  await as('ada')('create_pipeline', one)
  const { value } = await as('ada')('diagnose_pipeline', one)
  t.same(value.failed_jobs, [])
  t.equal(value.remark, 'It still runs, and more may fail: wait_for_pipeline waits for its end.')
})

story('a pipeline of an older commit is explained with that said', [pipelines, repository], async (t, as) => {
  const ada = as('ada')
  const one = { project_id: 'acme/rocket', ref: 'feature/fuel-gauge' }
  const before = await ada('diagnose_pipeline', one)
  t.notOk('remark' in before.value)
  const { value: commit } = await ada('commit_files', {
    project_id: one.project_id,
    branch: one.ref,
    commit_message: 'Mend it [skip ci]',
    actions: [{ action: 'create', file_path: 'mended.txt', content: 'x' }]
  })
  const after = await ada('diagnose_pipeline', one)
  t.equal(after.value.pipeline.id, before.value.pipeline.id)
  t.equal(
    after.value.remark,
    `The newest commit, ${commit.id}, has no pipeline: this one is of another. wait_for_pipeline waits for one, create_pipeline starts one.`
  )
  await ada('create_branch', { project_id: one.project_id, branch: 'beside', ref: one.ref })
  const { value: beside } = await ada('create_pipeline', { project_id: one.project_id, ref: 'beside' })
  t.equal(
    (await ada('diagnose_pipeline', one)).value.remark,
    `This is not of the newest commit, ${commit.id}, whose pipeline is ${beside.id}: give that as pipeline_id.`,
    'as that of a merge request, which has another ref'
  )
  const byId = await ada('diagnose_pipeline', {
    project_id: one.project_id,
    pipeline_id: before.value.pipeline.id
  })
  t.notOk('remark' in byId.value)
})

story('what waits for a person is listed in one call', [issues], async (t, as) => {
  const { value } = await as('ada')('whats_on_my_plate')
  for (const part of ['todos', 'merge_requests_to_review', 'merge_requests_assigned', 'issues_assigned'])
    t.ok(Array.isArray(value[part]), part)
  t.ok(value.todos.length > 0)
  const { error } = await as('nobody')('whats_on_my_plate')
  t.match(error, /^The forge answered 401 Unauthorized\./)
})
