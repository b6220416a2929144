import t from 'tap'
import { Cancellation } from '../../../src/base/cancellation.ts'
import { pause } from '../../../src/upstream/guard/pause.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { steppedClock } from '../../support/run-tool.ts'
import { story } from '../../support/sandbox-tools.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

const project_id = '1'
const P = 'GET /projects/1/pipelines'
const at = (status: string, more: object = {}) => ({
  request: `${P}/7`,
  reply: { body: { id: 7, iid: 2, project_id: 1, status, ref: 'main', sha: 'abc', web_url: 'u', ...more } }
})
const pipeline = { id: 7, iid: 2, project_id: 1, ref: 'main', sha: 'abc', web_url: 'u' }
const failed = { id: 9, name: 'unit', stage: 'test', failure_reason: 'script_failure' }
const jobs = (scope: string, body: unknown) => ({
  request: `${P}/7/jobs?${scope}&per_page=50`,
  reply: { body }
})
const onlyFailed = (body: unknown) => jobs('scope%5B%5D=failed', body)
const commit = { request: 'GET /projects/1/repository/commits/main', reply: { body: { id: 'abc' } } }
const latest = (body: unknown) => ({ request: `${P}?ref=main&per_page=1`, reply: { body } })
const ofCommit = (body: unknown) => ({ request: `${P}?sha=abc&per_page=1`, reply: { body } })
const requestWith = (head_pipeline: unknown) => ({
  request: 'GET /projects/1/merge_requests/12',
  reply: { body: { iid: 12, sha: 'abc', head_pipeline } }
})
const ofRequest = (id: number, ref: string) => ({
  request: 'GET /projects/1/merge_requests/12/pipelines?per_page=1',
  reply: { body: [{ id, project_id: 1, sha: 'merged', ref }] }
})

const cases: Case[] = [
  {
    title: 'looks again with growing pauses until it is over',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: '7' },
    exchanges: [at('created'), at('running'), at('running'), at('success')],
    result: { status: 'success', over: true, waited_seconds: 7, pipeline }
  },
  {
    title: 'names the failed jobs and what says why',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: '7' },
    exchanges: [
      at('failed', { yaml_errors: null }),
      onlyFailed([{ ...failed, status: 'failed', allow_failure: false, user: { id: 1 } }])
    ],
    result: {
      status: 'failed',
      over: true,
      waited_seconds: 0,
      pipeline,
      failed_jobs: [failed],
      next: 'diagnose_pipeline says why it failed.'
    }
  },
  {
    title: 'lists no jobs of a forge that sends others between their records, and says why',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: '7' },
    exchanges: [at('failed'), onlyFailed([null, { ...failed, status: 'failed' }, 'unit'])],
    result: {
      status: 'failed',
      over: true,
      waited_seconds: 0,
      pipeline,
      failed_jobs: 'The forge answered with a list of something that is no record.',
      next: 'diagnose_pipeline says why it failed.'
    }
  },
  {
    title: 'ends where only a person can go on, and names the job that waits',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: '7' },
    exchanges: [
      at('manual'),
      jobs('scope%5B%5D=failed&scope%5B%5D=manual', [
        { id: 8, name: 'deploy', stage: 'deploy', status: 'manual' },
        { ...failed, status: 'failed', allow_failure: true }
      ])
    ],
    result: {
      status: 'manual',
      over: true,
      waited_seconds: 0,
      pipeline,
      failed_jobs: [{ ...failed, allow_failure: true }],
      manual_jobs: [{ id: 8, name: 'deploy', stage: 'deploy' }],
      next: 'It is blocked until a person starts a job of manual_jobs: play_pipeline_job.'
    }
  },
  {
    title: 'ends where nothing ran',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: '7' },
    exchanges: [at('skipped')],
    result: { status: 'skipped', over: true, waited_seconds: 0, pipeline, next: 'None of its jobs ran.' }
  },
  {
    title: 'ends with the time and says how to go on, with the jobs that have failed by then',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: '7', timeout: 5 },
    exchanges: [at('running'), at('running'), at('running'), at('running'), onlyFailed([])],
    result: {
      status: 'running',
      over: false,
      waited_seconds: 5,
      pipeline,
      failed_jobs: [],
      next: 'The time is over, the pipeline is not: call wait_for_pipeline again.'
    }
  },
  {
    title: 'says of jobs why they cannot be read',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: '7' },
    exchanges: [
      at('canceled'),
      { ...onlyFailed([]), reply: { status: 403, body: { message: '403 Forbidden' } } }
    ],
    result: {
      status: 'canceled',
      over: true,
      waited_seconds: 0,
      pipeline,
      failed_jobs:
        'The forge answered 403 Forbidden. The token may not do this: its owner needs a higher role, or the token the api scope (read_api to read).',
      next: 'It was canceled; retry_pipeline runs its canceled jobs.'
    }
  },
  {
    title: 'waits for the pipeline of a commit just pushed, and takes none of an older one',
    tool: 'wait_for_pipeline',
    args: { project_id, ref: 'main' },
    exchanges: [
      commit,
      latest([{ id: 6, project_id: 1, sha: 'old', ref: 'main' }]),
      latest([{ id: 7, project_id: 1, sha: 'abc', ref: 'main' }]),
      at('success')
    ],
    result: { status: 'success', over: true, waited_seconds: 1, pipeline }
  },
  {
    title: 'says that the newest commit has no pipeline, after some seconds',
    tool: 'wait_for_pipeline',
    args: { project_id, ref: 'main' },
    exchanges: [
      commit,
      ...Array.from({ length: 5 }, () => latest([{ id: 6, project_id: 1, sha: 'old', ref: 'main' }])),
      ofCommit([])
    ],
    error:
      'The newest commit of main has no pipeline. The latest, 6, is of another commit. create_pipeline starts one.'
  },
  {
    title: 'names the pipeline of a newest commit that has it in its merge request alone',
    tool: 'wait_for_pipeline',
    args: { project_id, ref: 'main' },
    exchanges: [
      commit,
      ...Array.from({ length: 5 }, () => latest([{ id: 6, project_id: 1, sha: 'old', ref: 'main' }])),
      ofCommit([{ id: 7, sha: 'abc', ref: 'refs/merge-requests/12/head' }])
    ],
    error: 'The pipeline of the newest commit of main, 7, is not the latest of main: give it as pipeline_id.'
  },
  {
    title: 'says of a tag without a pipeline that it has none, and where its commit has one',
    tool: 'wait_for_pipeline',
    args: { project_id, ref: 'main' },
    exchanges: [
      commit,
      ...Array.from({ length: 5 }, () => latest([])),
      ofCommit([{ id: 7, sha: 'abc', ref: 'other' }])
    ],
    error:
      'main has no pipeline. Its newest commit has one, 7, for another branch or tag: give it as pipeline_id.'
  },
  {
    title: 'says where the newest commit has its pipeline when the branch has none',
    tool: 'diagnose_pipeline',
    args: { project_id, ref: 'main' },
    exchanges: [latest([]), commit, ofCommit([{ id: 7, sha: 'abc', ref: 'other' }])],
    error:
      'main has no pipeline. Its newest commit has one, 7, for another branch or tag: give it as pipeline_id.'
  },
  {
    title: 'says that there is no pipeline where the newest commit has none either',
    tool: 'diagnose_pipeline',
    args: { project_id, ref: 'main' },
    exchanges: [latest([]), commit, ofCommit([])],
    error: 'There is no pipeline of main.'
  },
  {
    title: 'says that there is no pipeline where the project has CI switched off',
    tool: 'diagnose_pipeline',
    args: { project_id, merge_request_iid: '12' },
    exchanges: [
      { request: 'GET /projects/1/merge_requests/12/pipelines?per_page=1', reply: { body: [] } },
      requestWith(null),
      { request: `${P}?sha=abc&per_page=1`, reply: { status: 403, body: { message: '403 Forbidden' } } }
    ],
    error: 'There is no pipeline of merge request 12.'
  },
  {
    title: 'waits for no pipeline whose number the forge does not tell',
    tool: 'wait_for_pipeline',
    args: { project_id, ref: 'main' },
    exchanges: [commit, latest([{ id: { a: 1 }, project_id: 1, sha: 'old', ref: 'main' }])],
    error: "The forge's answer lacks id."
  },
  {
    title: 'takes the pipeline of a merge request from the project that it comes from',
    tool: 'wait_for_pipeline',
    args: { project_id, merge_request_iid: '12' },
    exchanges: [
      { request: 'GET /projects/1/merge_requests/12', reply: { body: { iid: 12, sha: 'abc' } } },
      {
        request: 'GET /projects/1/merge_requests/12/pipelines?per_page=1',
        reply: { body: [{ id: 7, project_id: 44, sha: 'abc', ref: 'fix' }] }
      },
      { ...at('success', { project_id: 44 }), request: 'GET /projects/44/pipelines/7' }
    ],
    result: { status: 'success', over: true, waited_seconds: 0, pipeline: { ...pipeline, project_id: 44 } }
  },
  {
    title: 'takes a pipeline of the merged result, whose commit is its own',
    tool: 'wait_for_pipeline',
    args: { project_id, merge_request_iid: '12' },
    exchanges: [
      { request: 'GET /projects/1/merge_requests/12', reply: { body: { iid: 12, sha: 'abc' } } },
      {
        request: 'GET /projects/1/merge_requests/12/pipelines?per_page=1',
        reply: { body: [{ id: 7, project_id: 1, sha: 'merged', ref: 'refs/merge-requests/12/merge' }] }
      },
      at('success')
    ],
    result: { status: 'success', over: true, waited_seconds: 0, pipeline }
  },
  {
    title:
      'takes none of the merged result of an earlier commit, which the merge request does not have as its own',
    tool: 'wait_for_pipeline',
    args: { project_id, merge_request_iid: '12' },
    exchanges: [
      requestWith(null),
      ofRequest(6, 'refs/merge-requests/12/merge'),
      requestWith(null),
      ofRequest(7, 'refs/merge-requests/12/merge'),
      requestWith({ id: 7 }),
      at('success')
    ],
    result: { status: 'success', over: true, waited_seconds: 1, pipeline }
  },
  {
    title:
      'names the pipeline that a merge request has as its own where a later one of a merged result is not',
    tool: 'wait_for_pipeline',
    args: { project_id, merge_request_iid: '12', timeout: 1 },
    exchanges: [
      requestWith({ id: 7 }),
      ...Array.from({ length: 2 }, () => [
        ofRequest(8, 'refs/merge-requests/12/train'),
        requestWith({ id: 7 })
      ]).flat()
    ],
    error:
      'The pipeline of the newest commit of merge request 12, 7, is not the latest of merge request 12: give it as pipeline_id.'
  },
  {
    title: 'names the project of a pipeline that a merge request has in a fork',
    tool: 'wait_for_pipeline',
    args: { project_id, merge_request_iid: '12', timeout: 1 },
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12',
        reply: { body: { iid: 12, project_id: 1, sha: 'abc', head_pipeline: { id: 7, project_id: 5 } } }
      },
      ...Array.from({ length: 2 }, () => ofRequest(8, 'refs/merge-requests/12/head'))
    ],
    error:
      'The pipeline of the newest commit of merge request 12, 7, is not the latest of merge request 12: give it as pipeline_id, and 5 as project_id.'
  },
  {
    title: 'starts none for a merge request that is merged',
    tool: 'wait_for_pipeline',
    args: { project_id, merge_request_iid: '12' },
    exchanges: [
      { request: 'GET /projects/1/merge_requests/12', reply: { body: { iid: 12, sha: 'abc' } } },
      ...Array.from({ length: 5 }, () => ({
        request: 'GET /projects/1/merge_requests/12/pipelines?per_page=1',
        reply: { body: [] }
      })),
      ofCommit([]),
      { request: 'GET /projects/1/merge_requests/12', reply: { body: { state: 'merged' } } }
    ],
    error:
      'The newest commit of merge request 12 has no pipeline. It is merged: what runs since then is of its target branch, which goes in ref.'
  },
  {
    title: 'takes one of id, merge request and ref',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: '7', ref: 'main' },
    error: "Only one of 'pipeline_id' or 'merge_request_iid' or 'ref' can be provided, not 2."
  },
  {
    title: 'says how the latest of a branch is named where a word stands for the pipeline',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: 'latest' },
    error:
      'pipeline_id must be a number, as list_pipelines gives it, not "latest": for the latest of a branch or tag give that as ref.'
  },
  {
    title: 'takes more seconds than a call has for as many as it has',
    tool: 'wait_for_pipeline',
    args: { project_id, pipeline_id: '7', timeout_seconds: 600 },
    exchanges: [at('success')],
    result: { status: 'success', over: true, waited_seconds: 0, pipeline }
  },
  {
    title: 'waits for a job, and shows the log of one that failed',
    tool: 'wait_for_job',
    args: { project_id, job_id: '9' },
    exchanges: [
      { request: 'GET /projects/1/jobs/9', reply: { body: { id: 9, name: 'unit', status: 'running' } } },
      { request: 'GET /projects/1/jobs/9', reply: { body: { ...failed, status: 'failed', web_url: 'j' } } },
      {
        request: 'GET /projects/1/jobs/9/trace',
        reply: { body: 'ok\nAssertionError: no\n', headers: { 'content-type': 'text/plain' } }
      }
    ],
    result: {
      status: 'failed',
      over: true,
      waited_seconds: 1,
      job: { ...failed, web_url: 'j' },
      log: { from_line: 1, of_lines: 2, text: 'ok\nAssertionError: no' },
      next: 'get_pipeline_job_output has the whole log; retry_pipeline_job runs it again, as a new job.'
    }
  },
  {
    title: 'ends at once for a job that a person has to start',
    tool: 'wait_for_job',
    args: { project_id, job_id: '9' },
    exchanges: [
      { request: 'GET /projects/1/jobs/9', reply: { body: { id: 9, name: 'deploy', status: 'manual' } } }
    ],
    result: {
      status: 'manual',
      over: true,
      waited_seconds: 0,
      job: { id: 9, name: 'deploy' },
      next: 'It waits for a person: play_pipeline_job starts it.'
    }
  },
  {
    title: 'says that the time is over',
    tool: 'wait_for_job',
    args: { project_id, job_id: '9', timeout: 1 },
    exchanges: [1, 2].map(() => ({
      request: 'GET /projects/1/jobs/9',
      reply: { body: { id: 9, status: 'pending' } }
    })),
    result: {
      status: 'pending',
      over: false,
      waited_seconds: 1,
      job: { id: 9 },
      next: 'The time is over, the job is not: call wait_for_job again.'
    }
  },
  {
    title: 'says the unit of a time that is none',
    tool: 'wait_for_job',
    args: { project_id, job_id: '9', timeout: '10m' },
    error: 'Invalid arguments: timeout must be a whole number of seconds, not the string "10m".'
  }
]

runTable(pipelines, cases)

story(
  'a pipeline that was started is waited for, and so is a job that is retried',
  [pipelines],
  async (t, as) => {
    const call = as('ada')
    const project_id = 'acme/rocket'
    const { value: made } = await call('create_pipeline', { project_id, ref: 'main' })
    const { value: some } = await call('wait_for_pipeline', { project_id, pipeline_id: made.id, timeout: 1 })
    t.match(some, { over: false, next: /call wait_for_pipeline again/ })
    const { value } = await call('wait_for_pipeline', { project_id, ref: 'main', timeout: 45 })
    t.match(value, { over: true, pipeline: { id: made.id, ref: 'main' } })
    t.ok(value.waited_seconds > 1)
    const { value: jobs } = await call('list_pipeline_jobs', { project_id, pipeline_id: made.id })
    const { value: again } = await call('retry_pipeline_job', { project_id, job_id: jobs[0].id })
    const { value: job } = await call('wait_for_job', { project_id, job_id: again.id })
    t.match(job, { status: 'success', over: true, job: { id: again.id } })
  },
  { clock: steppedClock() }
)

story('of a job that was run again its new run is named, and no other try', [pipelines], async (t, as) => {
  const call = as('ada')
  const project_id = 'acme/rocket'
  const { value: failed } = await call('list_pipelines', { project_id, status: 'failed' })
  const { value: jobs } = await call('list_pipeline_jobs', {
    project_id,
    pipeline_id: failed[0].id,
    scope: 'failed'
  })
  const job_id = jobs[0].id
  const { value: again } = await call('retry_pipeline_job', { project_id, job_id })
  const { value } = await call('wait_for_job', { project_id, job_id })
  t.match(value, {
    status: 'failed',
    next: new RegExp(`^It was run again as job ${again.id}, which is "\\w+": wait`)
  })
})

story('a branch that is not there has no pipeline to wait for', [pipelines], async (t, as) => {
  const error = async (args: Record<string, unknown>) => (await as('ada')('wait_for_pipeline', args)).error
  t.match(
    await error({ project_id: 'acme/rocket', ref: 'none' }),
    /404 Not Found: "404 Commit Not Found"\. There is no "none"; the default branch is "main"/
  )
  t.match(await error({ project_id: 'acme/none', ref: 'main' }), /no such project/)
})

t.test('a pause ends with the call, and leaves no timer', async t => {
  const call = new Cancellation()
  const waiting = pause(60_000, call)
  call.abort()
  await t.rejects(waiting, { message: 'The call was cancelled.' })
  await t.rejects(pause(60_000, call), { message: 'The call was cancelled.' })
})
