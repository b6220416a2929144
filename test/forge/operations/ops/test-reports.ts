import { type Call, type Operations, ok } from '../../http.ts'
import { currentJobs } from '../../model/pipelines.ts'
import type { Job, Pipeline, TestCase } from '../../types.ts'
import { pipelineOf } from '../pipelines.ts'

interface Suite {
  job: Job
  cases: TestCase[]
}

/** The suites of a pipeline. A job has a report once it has finished. */
const suitesOf = (pipeline: Pipeline): Suite[] =>
  currentJobs(pipeline)
    .filter(({ plan, status, erased }) => plan.tests && ['success', 'failed'].includes(status) && !erased)
    .map(job => ({ job, cases: job.plan.tests!(job) }))

const counts = (cases: readonly TestCase[]) => {
  const of = (status: TestCase['status']) => cases.filter(one => one.status === status).length
  return {
    total_time: cases.reduce((sum, { seconds }) => sum + seconds, 0),
    total_count: cases.length,
    success_count: of('success'),
    failed_count: of('failed'),
    skipped_count: of('skipped'),
    error_count: of('error')
  }
}

const summary = (call: Call) => {
  const suites = suitesOf(pipelineOf(call))
  const all = counts(suites.flatMap(({ cases }) => cases))
  return ok({
    total: {
      time: all.total_time,
      count: all.total_count,
      success: all.success_count,
      failed: all.failed_count,
      skipped: all.skipped_count,
      error: all.error_count,
      suite_error: null
    },
    test_suites: suites.map(({ job, cases }) => ({
      name: job.plan.name,
      ...counts(cases),
      build_ids: [job.id],
      suite_error: null
    }))
  })
}

const presentCase = ({ name, classname, file, status, seconds, output }: TestCase) => ({
  status,
  name,
  classname,
  file,
  execution_time: seconds,
  system_output: output,
  stack_trace: null,
  recent_failures: status === 'failed' ? { count: 1, base_branch: 'main' } : null,
  attachment_url: null
})

export const testReportOperations: Operations = {
  get_pipeline_test_report_summary: summary,
  get_pipeline_test_report: call => {
    const suites = suitesOf(pipelineOf(call))
    return ok({
      ...counts(suites.flatMap(({ cases }) => cases)),
      test_suites: suites.map(({ job, cases }) => ({
        name: job.plan.name,
        ...counts(cases),
        suite_error: null,
        test_cases: cases.map(presentCase)
      }))
    })
  }
}
