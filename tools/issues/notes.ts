import { Type } from 'typebox'
import { exactlyOne } from '../../src/catalog/checks.ts'
import {
  CreatedAt,
  flag,
  IssueIid,
  oneOf,
  optional,
  Page,
  ProjectId,
  text
} from '../../src/catalog/fields.ts'
import { rest, type ToolRow } from '../../src/catalog/row.ts'

const issue = { project_id: ProjectId, issue_iid: IssueIid }

export const issueNoteRows: readonly ToolRow[] = [
  rest({
    name: 'create_issue_note',
    class: 'write',
    title: 'Comment on an issue',
    summary: 'Add a comment to an issue, or a reply to a thread when discussion_id is given.',
    input: Type.Object({
      ...issue,
      discussion_id: optional(text('Thread to reply to')),
      body: text('Markdown'),
      created_at: optional(CreatedAt)
    }),
    request: [
      'POST /projects/{project_id}/issues/{issue_iid}/discussions/{discussion_id}/notes',
      'POST /projects/{project_id}/issues/{issue_iid}/notes'
    ]
  }),
  rest({
    name: 'update_issue_note',
    class: 'write',
    title: 'Update an issue note',
    summary:
      'Change the text of a note in an issue thread, or resolve or unresolve the thread: either body or resolved.',
    input: Type.Object({
      ...issue,
      discussion_id: text('From list_issue_discussions'),
      note_id: text(),
      body: optional(text('New text')),
      resolved: optional(flag())
    }),
    check: [exactlyOne('body', 'resolved')],
    request: 'PUT /projects/{project_id}/issues/{issue_iid}/discussions/{discussion_id}/notes/{note_id}'
  }),
  rest({
    name: 'list_issue_discussions',
    class: 'read',
    title: 'List issue discussions',
    summary: 'List the comments and threads of an issue; the ids serve for replies and resolving.',
    input: Type.Object({ ...issue, ...Page }),
    request: 'GET /projects/{project_id}/issues/{issue_iid}/discussions'
  }),
  rest({
    name: 'create_note',
    class: 'write',
    title: 'Comment on an issue or merge request',
    summary: 'Add a comment to an issue or a merge request, outside any thread.',
    input: Type.Object({
      project_id: ProjectId,
      noteable_type: oneOf(['issue', 'merge_request']),
      noteable_iid: text('Number in its project'),
      body: text('Markdown')
    }),
    request: 'POST /projects/{project_id}/{noteable_type}s/{noteable_iid}/notes'
  })
]
