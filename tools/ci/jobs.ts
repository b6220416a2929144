import { Type } from 'typebox'
import { Confirm, flag, JobId, optional, ProjectId } from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'

const one = '/projects/{project_id}/jobs/{job_id}'
const job = { project_id: ProjectId, job_id: JobId }

export const jobRows: readonly ToolRow[] = [
  rest({
    name: 'erase_job',
    class: 'destructive',
    title: 'Erase job',
    summary: 'Delete the log and artifacts of a finished job.',
    input: Type.Object({ ...job, confirm: Confirm('name'), artifacts_only: optional(flag('Keep the log')) }),
    confirm: { read: `GET ${one}`, field: 'name', noun: 'job' },
    request: [`POST ${one}/erase`, `DELETE ${one}/artifacts`],
    choose: ({ artifacts_only: only }) => (only === true ? `DELETE ${one}/artifacts` : `POST ${one}/erase`),
    local: ['confirm', 'artifacts_only'],
    done: ({ artifacts_only: only }) =>
      only === true
        ? 'The artifacts of the job are deleted.'
        : 'The log and artifacts of the job are erased.',
    advice: {
      403: 'It takes the Maintainer role or having started the job, which must be finished and have a log or artifacts.',
      409: 'The forge is counting the artifacts of this project just now: try again in a minute.'
    }
  }),
  rest({
    name: 'keep_job_artifacts',
    class: 'write',
    title: 'Keep artifacts',
    summary: 'Let the artifacts of a job never expire.',
    input: Type.Object(job),
    request: `POST ${one}/artifacts/keep`,
    record: 'job',
    advice: { 404: 'Check the ids; the forge also answers 404 for a job that has no artifacts (any more).' }
  })
]
