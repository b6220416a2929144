import { Type } from 'typebox'
import { optional, Page, ProjectId, text } from '../../src/catalog/fields.ts'
import { rest, type ToolRow } from '../../src/catalog/row.ts'
import { withRoles } from './access-levels.ts'

export const protectionReadingRows: readonly ToolRow[] = [
  rest({
    name: 'list_protected_branches',
    class: 'read',
    title: 'Protected branches',
    summary: 'List who may push and merge to which; for maintainers.',
    record: 'protected_branch',
    input: Type.Object({ project_id: ProjectId, search: optional(text()), ...Page }),
    request: 'GET /projects/{project_id}/protected_branches',
    shape: withRoles
  })
]
