import { push } from '../../forge/model/history.ts'
import { addMergeRequest } from '../../forge/model/make.ts'
import { startPipeline, statusOf } from '../../forge/model/pipelines.ts'
import type { Job as CiJob } from '../../forge/types.ts'
import { type Job, unless } from '../job.ts'
import { ago, filesOf, ROCKET, replaced, rocketOf, who } from '../world.ts'

const BRANCH = 'burn-less'
const TEST = 'test/engine.test.ts'

/** As many lines as an install and a quiet build write, and where the failing test stands. */
const wordy =
  (trace: ((job: CiJob) => string) | undefined) =>
  (job: CiJob): string => {
    const [head = '', ...rest] = (trace?.(job) ?? '').split('\n')
    const noise = Array.from(
      { length: 300 },
      (_, at) => `npm http fetch GET 200 https://registry.acme.example/package-${at} ${at * 7}ms (cache hit)`
    )
    const place = `  location: '/builds/acme/rocket/${TEST}:5:1'`
    return [head, ...noise, ...rest]
      .join('\n')
      .replace('not ok 2 - burning uses fuel\n  ---', `not ok 2 - burning uses fuel\n  ---\n${place}`)
  }

/** The expectation as the failure says it, in the test. */
const mended = (code: string, message: string): string => {
  const [, is, was] = /(\d+) !== (\d+)/.exec(message) ?? []
  return replaced(code, `.level, ${was})`, `.level, ${is})`)
}

/** The line of the test that has the wrong expectation. */
const lineWith = (code: string, message: string): string => {
  const was = /!== (\d+)/.exec(message)?.[1]
  const line = code.split('\n').find(row => row.includes(`.level, ${was})`))
  if (line === undefined) throw new Error(`no line expects ${was}`)
  return line
}

const MESSAGE = 'Expect what is left'

export const mend: Job = {
  id: 'mend',
  title: 'Failed pipeline to its fix',
  task: 'The pipeline of !7 in acme/rocket fails. The new burn rate of 10 is meant: find out why, mend it on the branch, and see the pipeline pass.',
  as: 'ada',
  prepare: forge => {
    const { state } = forge
    const rocket = rocketOf(forge)
    rocket.settings.pipelinesOnPush = true
    rocket.ci = rocket.ci.map(plan =>
      plan.name === 'unit-tests' ? { ...plan, trace: wordy(plan.trace) } : plan
    )
    const main = filesOf(forge)
    const linus = who(forge, 'linus')
    const from = rocket.branches.get('main')!.sha
    const files = {
      ...main,
      'src/engine.ts': replaced(main['src/engine.ts'], 'BURN_RATE = 12', 'BURN_RATE = 10')
    }
    const { sha } = push(state, rocket, BRANCH, {
      message: 'Burn 10 a second',
      author: linus,
      files,
      from,
      at: ago(3)
    })
    addMergeRequest(state, rocket, {
      title: 'Burn 10 a second',
      author: linus,
      sourceBranch: BRANCH,
      targetBranch: 'main',
      createdAt: ago(3)
    })
    startPipeline(state, rocket, { ref: BRANCH, sha, user: linus, source: 'push', at: Date.parse(ago(3)) })
  },
  missing: forge => {
    const { pipelines } = rocketOf(forge)
    const last = pipelines.findLast(({ ref }) => ref === BRANCH)!
    return unless({
      'the test expects 50': filesOf(forge, BRANCH)[TEST]?.includes('.level, 50)'),
      'the burn rate is 10': filesOf(forge, BRANCH)['src/engine.ts']?.includes('BURN_RATE = 10'),
      'its pipeline passed': statusOf(last) === 'success'
    })
  },
  ours: {
    toolsets: 'repository,pipelines',
    words: 'why did the pipeline fail; commit files; wait for pipeline',
    async run(call) {
      const found = await call('diagnose_pipeline', { project_id: ROCKET, merge_request_iid: '7' })
      const { ref } = found.pipeline
      const [test] = found.failed_tests.tests
      const { text } = found.code.find(({ path }: { path: string }) => path === test.file)
      const find = lineWith(text, test.message)
      const replace = mended(find, test.message)
      await call('commit_files', {
        project_id: ROCKET,
        branch: ref,
        commit_message: MESSAGE,
        actions: [{ action: 'edit', file_path: test.file, edits: [{ find, replace }] }]
      })
      await call('wait_for_pipeline', { project_id: ROCKET, ref })
    }
  },
  peer: {
    toolsets: 'merge_requests,repositories,pipelines',
    async run(call) {
      const one = { project_id: ROCKET, merge_request_iid: '7' }
      const [failed] = await call('list_merge_request_pipelines', one)
      const { ref } = failed
      const pipeline = { project_id: ROCKET, pipeline_id: String(failed.id) }
      const [job] = await call('list_pipeline_jobs', { ...pipeline, scope: 'failed' })
      const log = await call('get_pipeline_job_output', {
        project_id: ROCKET,
        job_id: String(job.id),
        limit: 50
      })
      if (!log.includes(TEST)) throw new Error('the log does not say which test')
      const { content } = await call('get_file_contents', { project_id: ROCKET, file_path: TEST, ref })
      await call('push_files', {
        project_id: ROCKET,
        branch: ref,
        commit_message: MESSAGE,
        files: [{ action: 'update', file_path: TEST, content: mended(content, log) }]
      })
      const [next] = await call('list_pipelines', { project_id: ROCKET, ref, per_page: 1 })
      await call('wait_for_pipeline', { project_id: ROCKET, pipeline_id: String(next.id) })
    }
  }
}
