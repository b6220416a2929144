import { Type } from 'typebox'
import { optional, Page, ProjectId, text } from '../../src/catalog/fields.ts'
import { rest, type ToolRow } from '../../src/catalog/row.ts'

export const branchRows: readonly ToolRow[] = [
  rest({
    name: 'get_branch',
    class: 'read',
    title: 'Branch',
    summary: 'Get its last commit and protection.',
    input: Type.Object({ project_id: ProjectId, branch_name: text() }),
    request: 'GET /projects/{project_id}/repository/branches/{branch_name}'
  }),
  rest({
    name: 'list_branches',
    class: 'read',
    title: 'Branches',
    summary: 'List or search.',
    input: Type.Object({
      project_id: ProjectId,
      search: optional(text()),
      ...Page
    }),
    request: 'GET /projects/{project_id}/repository/branches'
  })
]
