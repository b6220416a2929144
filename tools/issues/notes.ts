import { Type } from 'typebox'
import { exactlyOne, notBlank } from '../../src/engine/rows/checks.ts'
import {
  CreatedAt,
  comment,
  IssueIid,
  markdown,
  oneOf,
  optional,
  Page,
  ProjectId,
  Resolved,
  text,
  threadId
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { goneNote, goneWithout } from '../families/items/edited-note.ts'
import { newNote } from '../families/items/new-note.ts'
import { ofAnswers } from '../families/items/of-answers.ts'
import { suggestsNothing } from '../families/items/suggestion-blocks.ts'
import { standsAlone, unresolvable } from '../families/items/unresolvable.ts'

const internal = 'create_work_item_note with internal writes an internal comment on an issue'

/** Suggestions have no effect in comments on an issue: the forge shows them as plain code. */
const onMergeRequest = suggestsNothing('body', 'create_merge_request_thread takes path and line')

const issue = { project_id: ProjectId, issue_iid: IssueIid }

const ofAlone = unresolvable(
  'GET /projects/{project_id}/issues/{issue_iid}/discussions/{discussion_id}',
  standsAlone('', ': create_issue_note with its discussion_id makes it one')
)

export const issueNoteRows: readonly ToolRow[] = [
  rest({
    name: 'create_issue_note',
    class: 'write',
    record: 'note',
    title: 'Comment on issue',
    summary: 'Comment, or reply to discussion_id.',
    input: Type.Object(
      {
        ...issue,
        discussion_id: optional(threadId('list_issue_discussions')),
        body: comment(),
        created_at: optional(CreatedAt)
      },
      {
        instead: {
          internal,
          confidential: internal,
          ...ofAnswers('discussion_id is the thread to answer in, which list_issue_discussions has')
        }
      }
    ),
    request: [
      'POST /projects/{project_id}/issues/{issue_iid}/discussions/{discussion_id}/notes',
      'POST /projects/{project_id}/issues/{issue_iid}/notes'
    ],
    notice: newNote
  }),
  rest({
    name: 'update_issue_note',
    class: 'write',
    record: 'note',
    title: 'Edit issue note',
    summary: 'Edit its body, or resolve its thread.',
    input: Type.Object({
      ...issue,
      discussion_id: threadId('list_issue_discussions'),
      note_id: text(),
      body: optional(markdown()),
      resolved: Resolved
    }),
    // An empty body counts as given, as the specification says.
    check: [exactlyOne('body', 'resolved'), notBlank('body')],
    request: 'PUT /projects/{project_id}/issues/{issue_iid}/discussions/{discussion_id}/notes/{note_id}',
    notice: goneNote,
    // Without resolved, the forge refuses because of the text.
    reason: { ...ofAlone, statuses: [400, 403], with: 'resolved' },
    advice: { 400: [goneWithout] }
  }),
  rest({
    name: 'list_issue_discussions',
    class: 'read',
    record: 'discussion',
    title: 'Issue threads',
    summary: 'List its comments and threads.',
    input: Type.Object({ ...issue, ...Page }),
    request: 'GET /projects/{project_id}/issues/{issue_iid}/discussions'
  }),
  rest({
    name: 'create_note',
    class: 'write',
    doesWith: { noteable_type: { issue: 'create_issue_note', merge_request: 'create_merge_request_note' } },
    record: 'note',
    title: 'Comment',
    summary: 'Comment on an issue or merge request.',
    input: Type.Object(
      {
        project_id: ProjectId,
        noteable_type: {
          ...oneOf(['issue', 'merge_request']),
          alias: { mr: 'merge_request', pr: 'merge_request', pull_request: 'merge_request' }
        },
        noteable_iid: text(),
        body: comment()
      },
      {
        instead: {
          internal,
          confidential: internal,
          ...ofAnswers('create_issue_note and create_merge_request_discussion_note answer in a thread')
        }
      }
    ),
    check: [
      args => {
        if (args.noteable_type === 'merge_request') onMergeRequest(args)
      }
    ],
    request: 'POST /projects/{project_id}/{.noteable_type}s/{noteable_iid}/notes',
    notice: newNote
  })
]
