import { Type } from 'typebox'
import { MergeRequestIid, optional, Page, ProjectId, text } from '../../../src/engine/rows/fields.ts'
import { branchOrTag } from '../../../src/engine/rows/revisions.ts'
import { custom, rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { onePipeline } from '../latest.ts'
import { diagnose } from './diagnose.ts'

const ofPipeline = 'which diagnose_pipeline takes'
const instead = { merge_request_iid: ofPipeline, ref: ofPipeline, source_branch: ofPipeline }

export const diagnosisRows: readonly ToolRow[] = [
  custom({
    name: 'diagnose_pipeline',
    class: 'read',
    beyond: 'follows',
    does: ['list_pipeline_jobs', 'get_pipeline_job_output', 'get_pipeline_test_report', 'get_file_contents'],
    title: 'Diagnose pipeline',
    summary:
      'Find out why a pipeline failed: failed jobs with the part of their logs that says why, failed tests, the code these name, commits since the last success.',
    input: Type.Object({
      project_id: ProjectId,
      pipeline_id: optional(text('Or merge_request_iid, or ref')),
      merge_request_iid: optional(MergeRequestIid),
      ref: optional(branchOrTag('Branch or tag; its latest pipeline'))
    }),
    check: onePipeline,
    idempotent: true,
    run: async (args, context) => ({ value: await diagnose(args, context) })
  }),
  rest({
    name: 'get_failed_jobs',
    class: 'read',
    does: ['list_pipeline_jobs'],
    record: 'job',
    title: 'Failed jobs',
    summary: 'List the failed jobs of a pipeline; diagnose_pipeline says why they failed.',
    input: Type.Object({ project_id: ProjectId, pipeline_id: text(), ...Page }, { instead }),
    request: 'GET /projects/{project_id}/pipelines/{pipeline_id}/jobs',
    fixed: { scope: ['failed'] }
  })
]
