import { Type } from 'typebox'
import {
  flag,
  forgeDefault,
  oneOf,
  optional,
  Page,
  ProjectId,
  text,
  unlisted,
  usernameFilter,
  variableValue,
  When
} from '../../src/engine/rows/fields.ts'
import { ref, refFilter } from '../../src/engine/rows/revisions.ts'
import { custom, rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { hasStatus, nothingCanceled } from './over.ts'
import { listPipelines } from './pipeline-list.ts'

const ofRequest = 'list_merge_request_pipelines has those of a merge request'
const ofRef = 'list_pipelines with ref and per_page=1 has the newest of a branch or tag'
const onePipeline = { project_id: ProjectId, pipeline_id: text() }

const ofMergeRequest =
  'ref is the source branch of a merge request; a push there runs its own pipeline, and retry_pipeline runs that again'

/** The events that can start a pipeline. */
const sources = [
  'push',
  'web',
  'trigger',
  'schedule',
  'api',
  'external',
  'pipeline',
  'chat',
  'webide',
  'merge_request_event',
  'external_pull_request_event',
  'parent_pipeline',
  'ondemand_dast_scan',
  'ondemand_dast_validation',
  'security_orchestration_policy',
  'container_registry_push',
  'duo_workflow',
  'pipeline_execution_policy_schedule',
  'dependency_management_security_update',
  'unknown'
] as const

const Variables = Type.Array(
  Type.Object({
    key: text(),
    value: variableValue(),
    variable_type: optional(forgeDefault('env_var', oneOf(['env_var', 'file'])))
  })
)

export const pipelineRows: readonly ToolRow[] = [
  custom({
    name: 'list_pipelines',
    class: 'read',
    record: 'pipeline',
    title: 'Pipelines',
    summary: 'List pipelines, newest first.',
    input: Type.Object(
      {
        project_id: ProjectId,
        scope: optional(
          oneOf(
            ['running', 'pending', 'finished', 'branches', 'tags'],
            'branches, tags: only the newest of each'
          )
        ),
        status: optional(
          oneOf([
            'created',
            'waiting_for_resource',
            'preparing',
            'pending',
            'running',
            'success',
            'failed',
            'canceled',
            'skipped',
            'manual',
            'scheduled'
          ])
        ),
        ref: optional(refFilter()),
        sha: optional(text()),
        yaml_errors: optional(flag('Only those with an invalid configuration')),
        source: optional(unlisted(oneOf(sources, 'What started it'))),
        username: optional(usernameFilter('Who started them')),
        updated_after: optional(When),
        updated_before: optional(When),
        order_by: optional(forgeDefault('id', oneOf(['id', 'status', 'ref', 'updated_at', 'user_id']))),
        sort: optional(forgeDefault('desc', oneOf(['asc', 'desc']))),
        ...Page
      },
      {
        instead: {
          created_after: 'did you mean "updated_after"?',
          created_before: 'did you mean "updated_before"?',
          merge_request_iid: ofRequest
        }
      }
    ),
    idempotent: true,
    run: listPipelines
  }),
  rest({
    name: 'get_pipeline',
    class: 'read',
    record: 'pipeline',
    title: 'Pipeline',
    summary: 'Get its status, times, coverage, configuration errors.',
    input: Type.Object(onePipeline, { instead: { ref: ofRef, branch: ofRef, merge_request_iid: ofRequest } }),
    request: 'GET /projects/{project_id}/pipelines/{pipeline_id}'
  }),
  rest({
    name: 'create_pipeline',
    class: 'write',
    record: 'pipeline',
    title: 'Run pipeline',
    summary: 'Start a pipeline on a branch or tag.',
    input: Type.Object(
      {
        project_id: ProjectId,
        ref: ref('Branch or tag'),
        variables: optional(Variables),
        inputs: optional(Type.Object({}, { additionalProperties: true, description: 'spec:inputs, by name' }))
      },
      { instead: { merge_request_iid: ofMergeRequest, source_branch: ofMergeRequest } }
    ),
    adapt: withFilledOnly,
    request: 'POST /projects/{project_id}/pipeline',
    advice: {
      400: [
        [
          /reference not found/i,
          'A pipeline runs on a branch or tag that is there, by its name: not on a commit.'
        ]
      ]
    }
  }),
  rest({
    name: 'retry_pipeline',
    class: 'write',
    does: ['retry_pipeline_job'],
    record: 'pipeline',
    title: 'Retry pipeline',
    summary: 'Retry its failed and canceled jobs.',
    input: Type.Object(onePipeline),
    request: 'POST /projects/{project_id}/pipelines/{pipeline_id}/retry',
    // A pipeline runs again if any of its jobs is retried. If it is still over, there was no job to retry.
    notice: value =>
      hasStatus(value, ['success', 'skipped'])
        ? 'Nothing was retried: it has no failed or canceled jobs. create_pipeline runs all again, as a new pipeline.'
        : undefined
  }),
  rest({
    name: 'cancel_pipeline',
    class: 'write',
    does: ['cancel_pipeline_job'],
    record: 'pipeline',
    title: 'Cancel pipeline',
    summary: 'Cancel its unfinished jobs.',
    input: Type.Object(onePipeline),
    request: 'POST /projects/{project_id}/pipelines/{pipeline_id}/cancel',
    notice: nothingCanceled
  })
]

/** Leaves out variables and inputs if they are empty. Some forges refuse even an empty value for them. */
function withFilledOnly({ variables, inputs, ...rest }: Record<string, unknown>) {
  const entries = Object.entries((inputs ?? {}) as Record<string, unknown>)
  for (const [name, value] of entries)
    if (typeof value === 'object' && !Array.isArray(value))
      throw new CallProblem(
        `Invalid arguments: inputs.${name} must be a string, a number, a boolean or an array.`
      )
  return {
    ...rest,
    ...(((variables ?? []) as unknown[]).length > 0 && { variables }),
    ...(entries.length > 0 && { inputs })
  }
}
