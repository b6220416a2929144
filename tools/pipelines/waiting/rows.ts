import { Type } from 'typebox'
import { JobId, MergeRequestIid, optional, ProjectId, text } from '../../../src/engine/rows/fields.ts'
import { branchOrTag } from '../../../src/engine/rows/revisions.ts'
import { custom, type ToolRow } from '../../../src/engine/rows/row.ts'
import { onePipeline } from '../latest.ts'
import { waitForJob } from './job.ts'
import { waitForPipeline } from './pipeline.ts'

/**
 * Longest wait in seconds. Most clients give up on a call after 60 seconds, and so does a call on a request to its
 * forge.
 */
const MAX_SECONDS = 45
/** The argument for the timeout. A value above the longest wait means the longest wait. */
const Timeout = Type.Integer({
  minimum: 1,
  default: 30,
  description: `Seconds, ${MAX_SECONDS} at most`,
  problem: 'must be a whole number of seconds'
})

export const waitingRows: readonly ToolRow[] = [
  custom({
    name: 'wait_for_pipeline',
    class: 'read',
    does: ['get_pipeline'],
    beyond: 'follows',
    title: 'Wait for pipeline',
    summary:
      'Wait until a pipeline is over or blocked, then give its status and failed jobs. When the time runs out, call again.',
    input: Type.Object({
      project_id: ProjectId,
      pipeline_id: optional(text('Or merge_request_iid, or ref')),
      merge_request_iid: optional(MergeRequestIid),
      ref: optional(branchOrTag('Branch or tag; the pipeline of its newest commit')),
      timeout: optional(Timeout)
    }),
    check: onePipeline,
    idempotent: true,
    run: async ({ timeout = 30, ...args }, context) => ({
      value: await waitForPipeline({ ...args, timeout: Math.min(timeout, MAX_SECONDS) }, context)
    })
  }),
  custom({
    name: 'wait_for_job',
    class: 'read',
    does: ['get_pipeline_job', 'get_pipeline_job_output'],
    title: 'Wait for job',
    summary:
      'Wait until a job is over, then give its status, and why it failed. When the time runs out, call again.',
    input: Type.Object({ project_id: ProjectId, job_id: JobId, timeout: optional(Timeout) }),
    idempotent: true,
    run: async ({ timeout = 30, ...args }, context) => ({
      value: await waitForJob({ ...args, timeout: Math.min(timeout, MAX_SECONDS) }, context)
    })
  })
]
