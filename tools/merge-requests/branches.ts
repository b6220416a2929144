import { Type } from 'typebox'
import { optional, Page, ProjectId, text } from '../../src/catalog/fields.ts'
import { rest, type ToolRow } from '../../src/catalog/row.ts'

export const branchRows: readonly ToolRow[] = [
  rest({
    name: 'get_branch',
    class: 'read',
    title: 'Get a branch',
    summary: 'Get a branch with its latest commit and protection status.',
    input: Type.Object({ project_id: ProjectId, branch_name: text() }),
    request: 'GET /projects/{project_id}/repository/branches/{branch_name}'
  }),
  rest({
    name: 'list_branches',
    class: 'read',
    title: 'List branches',
    summary: 'List the branches of a project, optionally filtered by name.',
    input: Type.Object({
      project_id: ProjectId,
      search: optional(text('Part of the name; ^start or end$')),
      ...Page
    }),
    request: 'GET /projects/{project_id}/repository/branches'
  })
]
