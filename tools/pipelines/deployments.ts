import { Type } from 'typebox'
import {
  forgeDefault,
  oneOf,
  optional,
  Page,
  ProjectId,
  text,
  When,
  wordOf
} from '../../src/engine/rows/fields.ts'
import { refOf } from '../../src/engine/rows/revisions.ts'
import { custom, rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { listDeployments } from './deployment-list.ts'

export const deploymentRows: readonly ToolRow[] = [
  custom({
    name: 'list_deployments',
    class: 'read',
    record: 'deployment',
    title: 'Deployments',
    summary: 'List deployments, oldest first by default.',
    input: Type.Object({
      project_id: ProjectId,
      environment: optional({ ...text('Its name'), names: { noun: 'environment', use: 'filter' } }),
      ref: optional(refOf()),
      sha: optional(text()),
      status: optional(wordOf(['created', 'running', 'success', 'failed', 'canceled', 'skipped', 'blocked'])),
      updated_after: optional(When),
      updated_before: optional(When),
      order_by: optional(
        forgeDefault('id', oneOf(['id', 'iid', 'created_at', 'updated_at', 'ref', 'status', 'environment']))
      ),
      sort: optional(forgeDefault('asc', oneOf(['asc', 'desc']))),
      ...Page
    }),
    idempotent: true,
    run: listDeployments
  }),
  rest({
    name: 'get_deployment',
    class: 'read',
    record: 'deployment',
    title: 'Deployment',
    summary: 'Get its job, commit and approvals.',
    input: Type.Object({ project_id: ProjectId, deployment_id: text() }),
    request: 'GET /projects/{project_id}/deployments/{deployment_id}'
  })
]
