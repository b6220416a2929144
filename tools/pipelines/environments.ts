import { Type } from 'typebox'
import { atMostOne } from '../../src/catalog/checks.ts'
import { oneOf, optional, Page, ProjectId, text } from '../../src/catalog/fields.ts'
import { rest, type ToolRow } from '../../src/catalog/row.ts'

export const environmentRows: readonly ToolRow[] = [
  rest({
    name: 'list_environments',
    class: 'read',
    title: 'List environments',
    summary: 'List environments of a project.',
    input: Type.Object({
      project_id: ProjectId,
      name: optional(text('Exact')),
      search: optional(text('At least 3 characters; instead of name')),
      states: optional(oneOf(['available', 'stopped'])),
      ...Page
    }),
    check: [atMostOne('name', 'search')],
    request: 'GET /projects/{project_id}/environments'
  }),
  rest({
    name: 'get_environment',
    class: 'read',
    title: 'Get an environment',
    summary: 'Get one environment with its last deployment.',
    input: Type.Object({ project_id: ProjectId, environment_id: text() }),
    request: 'GET /projects/{project_id}/environments/{environment_id}'
  })
]
