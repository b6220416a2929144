import { Type } from 'typebox'
import { KeysetPage, oneOf, optional, ProjectId, revision, text } from '../../src/catalog/fields.ts'
import { rest, type ToolRow } from '../../src/catalog/row.ts'

export const tagReadingRows: readonly ToolRow[] = [
  rest({
    name: 'list_tags',
    class: 'read',
    title: 'Tags of a repository',
    summary: 'List tags, latest first.',
    record: 'tag',
    input: Type.Object({
      project_id: ProjectId,
      search: optional(text()),
      order_by: optional(oneOf(['name', 'updated', 'version'])),
      sort: optional(oneOf(['asc', 'desc'])),
      ...KeysetPage
    }),
    request: 'GET /projects/{project_id}/repository/tags',
    fixed: { pagination: 'keyset' },
    advice: { 422: 'Check page_token: take it from next_page_token of the page before.' }
  }),
  rest({
    name: 'get_tag',
    class: 'read',
    title: 'Tag with release',
    summary: 'Get its commit and release.',
    record: 'tag',
    input: Type.Object({ project_id: ProjectId, tag_name: revision() }),
    request: 'GET /projects/{project_id}/repository/tags/{.tag_name}'
  })
]
