import { Type } from 'typebox'
import { atMostOne } from '../../src/engine/rows/checks.ts'
import { forgeDefault, oneOf, optional, Page, ProjectId, text } from '../../src/engine/rows/fields.ts'
import { branch } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { noStars } from '../families/lists/part-of-name.ts'

export const branchRows: readonly ToolRow[] = [
  rest({
    name: 'get_branch',
    class: 'read',
    title: 'Branch',
    summary: 'Get its last commit and protection.',
    input: Type.Object({ project_id: ProjectId, branch_name: branch() }),
    request: 'GET /projects/{project_id}/repository/branches/{.branch_name}',
    record: 'branch'
  }),
  rest({
    name: 'list_branches',
    class: 'read',
    title: 'Branches',
    summary: 'List or search.',
    input: Type.Object({
      project_id: ProjectId,
      search: optional(text('Part of a name; ^ begins it, $ ends it')),
      regex: optional(text('RE2, instead of search')),
      sort: optional(forgeDefault('name_asc', oneOf(['name_asc', 'updated_asc', 'updated_desc']))),
      ...Page
    }),
    check: [atMostOne('search', 'regex')],
    request: 'GET /projects/{project_id}/repository/branches',
    record: 'branch',
    notice: noStars
  })
]
