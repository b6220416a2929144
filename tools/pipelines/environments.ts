import { Type } from 'typebox'
import { atMostOne } from '../../src/engine/rows/checks.ts'
import { oneOf, optional, Page, ProjectId, text } from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'

export const environmentRows: readonly ToolRow[] = [
  rest({
    name: 'list_environments',
    class: 'read',
    beyond: 'shows',
    record: 'environment',
    title: 'Environments',
    summary: 'List the environments.',
    input: Type.Object({
      project_id: ProjectId,
      name: optional({ ...text('Exact'), names: { noun: 'environment', use: 'filter' } }),
      search: optional(text('Instead of name: part of it, 3 characters at least')),
      states: optional(oneOf(['available', 'stopped'])),
      ...Page
    }),
    check: [atMostOne('name', 'search')],
    request: 'GET /projects/{project_id}/environments'
  }),
  rest({
    name: 'get_environment',
    class: 'read',
    beyond: 'shows',
    record: 'environment',
    title: 'Environment',
    summary: 'Get it with its last deployment.',
    input: Type.Object({ project_id: ProjectId, environment_id: text() }),
    request: 'GET /projects/{project_id}/environments/{environment_id}'
  })
]
