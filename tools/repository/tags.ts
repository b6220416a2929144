import { Type } from 'typebox'
import {
  commitMessage,
  insteadOfPage,
  KeysetPage,
  mayBeDeleted,
  oneOf,
  optional,
  ProjectId,
  text,
  toDelete
} from '../../src/engine/rows/fields.ts'
import { newRevision, revision, tagName } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { noStars } from '../families/lists/part-of-name.ts'
import { nameRule } from './fields.ts'

export const tagRows: readonly ToolRow[] = [
  rest({
    name: 'list_tags',
    class: 'read',
    title: 'Tags of a repository',
    summary: 'List tags, latest first.',
    record: 'tag',
    input: Type.Object(
      {
        project_id: ProjectId,
        search: optional(text()),
        order_by: optional(oneOf(['name', 'updated', 'version'])),
        sort: optional(oneOf(['asc', 'desc'])),
        ...KeysetPage
      },
      { instead: insteadOfPage }
    ),
    request: 'GET /projects/{project_id}/repository/tags',
    fixed: { pagination: 'keyset' },
    notice: noStars
  }),
  rest({
    name: 'get_tag',
    class: 'read',
    title: 'Tag with release',
    summary: 'Get its commit and release.',
    record: 'tag',
    input: Type.Object({ project_id: ProjectId, tag_name: tagName() }),
    request: 'GET /projects/{project_id}/repository/tags/{.tag_name}',
    advice: { 404: 'There is no such tag, or you may not see it: list_tags has those there are.' }
  }),
  rest({
    name: 'create_tag',
    class: 'write',
    title: 'New tag',
    summary: 'Create a tag.',
    record: 'tag',
    input: Type.Object({
      project_id: ProjectId,
      tag_name: newRevision('tags'),
      ref: revision('Branch, tag or SHA'),
      message: optional(commitMessage('Makes it annotated'))
    }),
    request: 'POST /projects/{project_id}/repository/tags',
    advice: {
      400: [
        [/name (?:is )?invalid/i, nameRule],
        [
          /already exists/i,
          'Nothing was made: get_tag says at which commit it is. If a call before this one made it, go on with it, or give another name.'
        ],
        [/^/, 'Check that ref exists.']
      ]
    }
  }),
  rest({
    name: 'delete_tag',
    class: 'destructive',
    does: ['delete_release'],
    title: 'Delete tag',
    summary: 'Delete a tag, with its release.',
    input: Type.Object({ project_id: ProjectId, tag_name: toDelete(tagName()) }),
    request: 'DELETE /projects/{project_id}/repository/tags/{.tag_name}',
    done: 'The tag is deleted.',
    advice: {
      404: `${mayBeDeleted} list_tags has those there are.`,
      412: 'The tag changed in between: read it with get_tag, then decide.'
    }
  })
]
