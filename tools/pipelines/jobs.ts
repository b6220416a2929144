import { Type } from 'typebox'
import {
  flag,
  JobId,
  oneOf,
  optional,
  Page,
  ProjectId,
  text,
  variableValue
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { noLogWindow } from './logs/log-window.ts'
import { nothingCanceled } from './over.ts'

const jobsOf = { project_id: ProjectId, pipeline_id: text() }
const oneJob = { project_id: ProjectId, job_id: JobId }

export const jobRows: readonly ToolRow[] = [
  rest({
    name: 'list_pipeline_jobs',
    class: 'read',
    record: 'job',
    title: 'Pipeline jobs',
    summary: 'List its jobs. Those that start pipelines: list_pipeline_trigger_jobs.',
    input: Type.Object({
      ...jobsOf,
      scope: optional(
        oneOf(['created', 'pending', 'running', 'failed', 'success', 'canceled', 'skipped', 'manual'])
      ),
      include_retried: optional(flag('Earlier runs of jobs, too')),
      ...Page
    }),
    request: 'GET /projects/{project_id}/pipelines/{pipeline_id}/jobs'
  }),
  rest({
    name: 'list_pipeline_trigger_jobs',
    class: 'read',
    beyond: 'shows',
    record: 'bridge',
    title: 'Trigger jobs',
    summary: 'List jobs that start pipelines, with those pipelines.',
    input: Type.Object({
      ...jobsOf,
      scope: optional(
        oneOf([
          'canceled',
          'canceling',
          'created',
          'failed',
          'manual',
          'pending',
          'preparing',
          'running',
          'scheduled',
          'skipped',
          'success',
          'waiting_for_resource'
        ])
      ),
      ...Page
    }),
    request: 'GET /projects/{project_id}/pipelines/{pipeline_id}/bridges'
  }),
  rest({
    name: 'get_pipeline_job',
    class: 'read',
    record: 'job',
    title: 'Pipeline job',
    summary: 'Get its status, failure reason, artifacts. Log: get_pipeline_job_output.',
    input: Type.Object({ ...oneJob, ...noLogWindow }),
    request: 'GET /projects/{project_id}/jobs/{job_id}',
    // The specification gives this tool the arguments of get_pipeline_job_output, which reads the log.
    local: ['limit', 'offset'],
    notice: (_job, { limit, offset }) =>
      limit === undefined && offset === undefined
        ? undefined
        : 'limit and offset count lines of its log, and a job has none: get_pipeline_job_output reads it.'
  }),
  rest({
    name: 'play_pipeline_job',
    class: 'write',
    record: 'job',
    title: 'Run manual job',
    summary: 'Start a manual job.',
    input: Type.Object({
      ...oneJob,
      job_variables_attributes: optional(
        Type.Array(Type.Object({ key: text(), value: variableValue() }), { description: 'Its variables' })
      )
    }),
    adapt: ({ job_variables_attributes, ...rest }) =>
      ((job_variables_attributes ?? []) as unknown[]).length > 0
        ? { ...rest, job_variables_attributes }
        : rest,
    request: 'POST /projects/{project_id}/jobs/{job_id}/play',
    advice: {
      400: 'Only a manual job that has not run can be started; retry_pipeline_job runs another one again.'
    }
  }),
  rest({
    name: 'retry_pipeline_job',
    class: 'write',
    record: 'job',
    title: 'Retry job',
    summary: 'Run a failed or canceled job again, as a new one.',
    input: Type.Object(oneJob),
    request: 'POST /projects/{project_id}/jobs/{job_id}/retry',
    advice: {
      403: 'Only the latest run of a job can be retried, once it is over: it may have been retried already, which list_pipeline_jobs shows. Or the token may not: that takes the Developer role.'
    }
  }),
  rest({
    name: 'cancel_pipeline_job',
    class: 'write',
    record: 'job',
    title: 'Cancel job',
    summary: 'Cancel an unfinished job.',
    input: Type.Object({ ...oneJob, force: optional(flag('Also one that stays in canceling')) }),
    request: 'POST /projects/{project_id}/jobs/{job_id}/cancel',
    notice: nothingCanceled
  })
]
