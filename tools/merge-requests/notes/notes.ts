import { Type } from 'typebox'
import { comment, forgeDefault, oneOf, optional, Page, text } from '../../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { allSaid } from '../../families/items/all-said.ts'
import { goneNote, goneWithout } from '../../families/items/edited-note.ts'
import { newNote } from '../../families/items/new-note.ts'
import { ofAnswers } from '../../families/items/of-answers.ts'
import { suggestsNothing, wholeSuggestions } from '../../families/items/suggestion-blocks.ts'
import { mergeRequest, noteText } from '../one.ts'
import { ANEW, editedOnLine, linesUnchecked, UNCHECKED } from './suggestion-places.ts'

const internal = 'no tool here writes an internal comment on a merge request'

/** Arguments of a comment on a line of a diff, including the names that other servers use. */
const ofLine = [
  'path',
  'file_path',
  'new_path',
  'line',
  'new_line',
  'old_line',
  'end_line',
  'side',
  'position'
]

const note = { ...mergeRequest, note_id: text() }

export const noteRows: readonly ToolRow[] = [
  rest({
    name: 'get_merge_request_notes',
    class: 'read',
    record: 'note',
    title: 'MR notes',
    summary: 'List notes; by thread: mr_discussions.',
    input: Type.Object({
      ...mergeRequest,
      sort: optional(forgeDefault('desc', oneOf(['asc', 'desc']))),
      order_by: optional(oneOf(['created_at', 'updated_at'])),
      ...Page
    }),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/notes'
  }),
  rest({
    name: 'get_merge_request_note',
    class: 'read',
    record: 'note',
    title: 'MR note',
    summary: 'Get one note.',
    input: Type.Object(note),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/notes/{note_id}'
  }),
  rest({
    name: 'create_merge_request_note',
    class: 'write',
    record: 'note',
    title: 'Comment on MR',
    summary: 'Comment; on a line: create_merge_request_thread.',
    input: Type.Object(
      { ...mergeRequest, body: comment() },
      {
        instead: {
          internal,
          confidential: internal,
          ...Object.fromEntries(ofLine.map(name => [name, 'which create_merge_request_thread takes'])),
          ...ofAnswers('create_merge_request_discussion_note answers in a thread')
        }
      }
    ),
    check: [suggestsNothing('body', ANEW)],
    request: 'POST /projects/{project_id}/merge_requests/{merge_request_iid}/notes',
    notice: newNote
  }),
  rest({
    name: 'update_merge_request_note',
    class: 'write',
    does: ['update_merge_request_discussion_note'],
    record: 'note',
    title: 'Edit MR note',
    summary: 'Change its text.',
    input: Type.Object({ ...note, body: comment() }),
    check: [wholeSuggestions('body')],
    adapt: editedOnLine,
    local: [UNCHECKED],
    request: 'PUT /projects/{project_id}/merge_requests/{merge_request_iid}/notes/{note_id}',
    notice: allSaid(goneNote, linesUnchecked),
    advice: { 400: [goneWithout] }
  }),
  rest({
    name: 'delete_merge_request_note',
    class: 'destructive',
    does: ['delete_merge_request_discussion_note'],
    title: 'Delete MR note',
    summary: 'Delete it for good.',
    input: Type.Object(note),
    request: 'DELETE /projects/{project_id}/merge_requests/{merge_request_iid}/notes/{note_id}',
    subject: noteText,
    done: 'The note is deleted.'
  })
]
