import { Type } from 'typebox'
import { exactlyOne } from '../../../src/engine/rows/checks.ts'
import {
  CreatedAt,
  comment,
  flag,
  optional,
  Page,
  Resolved,
  text,
  threadId
} from '../../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { type Fields, isRecord } from '../../../src/results/is-record.ts'
import { allSaid } from '../../families/items/all-said.ts'
import { goneNote, goneWithout } from '../../families/items/edited-note.ts'
import { newNote } from '../../families/items/new-note.ts'
import { wholeSuggestions } from '../../families/items/suggestion-blocks.ts'
import { standsAlone, unresolvable } from '../../families/items/unresolvable.ts'
import { mergeRequest, noteText } from '../one.ts'
import {
  CommentLine,
  commentLineChecks,
  commentLineNames,
  placedByLine,
  SUGGESTION,
  withCode
} from './comment-line.ts'
import { Position, unplaced } from './position.ts'
import { answeredOnLine, editedOnLine, linesUnchecked, UNCHECKED } from './suggestion-places.ts'

const DiscussionId = threadId('mr_discussions')
const note = { ...mergeRequest, discussion_id: DiscussionId, note_id: text() }

/* Advice for arguments that callers give by habit. */
const unresolved = 'resolved=false gives those that are not resolved'
const ofThread =
  'leave it out: an answer is to the thread, discussion_id; update_merge_request_discussion_note changes a note'
const resolvedApart = 'resolve_merge_request_thread resolves the thread, or opens it'

const alone = standsAlone(', on a line or begun by create_merge_request_thread,')

const ofAlone = unresolvable(
  'GET /projects/{project_id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}',
  alone
)

const resolvableOf = (discussion: unknown): readonly Fields[] => {
  const { notes } = (discussion ?? {}) as Fields
  if (!Array.isArray(notes)) return []
  return notes
    .filter(isRecord)
    .filter(({ resolvable, resolved }) => resolvable ?? typeof resolved === 'boolean')
}

const isResolved = (notes: readonly Fields[]): boolean => notes.every(({ resolved }) => resolved === true)

/** The threads that are resolved, or those that are not, without single comments. */
const threadsThat = (value: unknown, resolved: unknown): unknown =>
  Array.isArray(value)
    ? value.filter(thread => {
        const notes = resolvableOf(thread)
        return notes.length > 0 && isResolved(notes) === resolved
      })
    : value

/** A thread with its state: whether it is resolved, and by whom. */
const resolution = (thread: unknown): Fields => {
  const notes = resolvableOf(thread)
  if (notes.length === 0) return { ...(thread as Fields) }
  const resolvedBy = notes.findLast(({ resolved }) => resolved === true)?.resolved_by
  return { ...(thread as Fields), resolved: isResolved(notes), resolved_by: resolvedBy }
}

const resolving = {
  400: alone,
  403: "Resolving takes the Developer role or being the merge request's author; editing a note, being its author."
}

export const discussionRows: readonly ToolRow[] = [
  rest({
    name: 'mr_discussions',
    class: 'read',
    record: 'discussion',
    title: 'MR threads',
    summary: 'List threads with their notes.',
    input: Type.Object(
      {
        ...mergeRequest,
        resolved: optional(flag('Only threads that are, or are not')),
        ...Page
      },
      { instead: { unresolved, only_unresolved: unresolved, unresolved_only: unresolved } }
    ),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/discussions',
    local: ['resolved'],
    // The forge has no such filter.
    whole: { with: 'resolved' },
    shape: (value, { resolved }) => (resolved === undefined ? value : threadsThat(value, resolved))
  }),
  rest({
    name: 'create_merge_request_thread',
    class: 'write',
    record: 'discussion',
    title: 'Start thread',
    summary: 'Start a thread; by path and line on a line of the diff.',
    input: Type.Object({
      ...mergeRequest,
      body: comment(SUGGESTION),
      ...CommentLine,
      position: optional({ ...Position, description: 'Instead of path; its SHAs are diff_refs' }),
      created_at: optional(CreatedAt)
    }),
    check: [...commentLineChecks, wholeSuggestions('body')],
    adapt: placedByLine,
    local: commentLineNames,
    shape: withCode,
    request: 'POST /projects/{project_id}/merge_requests/{merge_request_iid}/discussions',
    notice: newNote,
    advice: unplaced
  }),
  rest({
    name: 'resolve_merge_request_thread',
    class: 'write',
    record: 'resolved_thread',
    title: 'Resolve thread',
    summary: 'Resolve it, or reopen it: resolved true or false.',
    input: Type.Object({ ...mergeRequest, discussion_id: DiscussionId, resolved: flag() }),
    request: 'PUT /projects/{project_id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}',
    shape: resolution,
    reason: ofAlone,
    advice: resolving
  }),
  rest({
    name: 'create_merge_request_discussion_note',
    class: 'write',
    record: 'note',
    title: 'Reply to thread',
    summary: 'Reply to a thread.',
    input: Type.Object(
      {
        ...mergeRequest,
        discussion_id: DiscussionId,
        body: comment(),
        created_at: optional(CreatedAt)
      },
      { instead: { note_id: ofThread, resolved: resolvedApart, resolve: resolvedApart } }
    ),
    check: [wholeSuggestions('body')],
    adapt: answeredOnLine,
    local: [UNCHECKED],
    request:
      'POST /projects/{project_id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes',
    notice: allSaid(newNote, linesUnchecked)
  }),
  rest({
    name: 'update_merge_request_discussion_note',
    class: 'write',
    does: ['update_merge_request_note'],
    doesWith: { resolved: 'resolve_merge_request_thread' },
    record: 'note',
    title: 'Edit thread note',
    summary: 'Edit its body, or resolve its thread.',
    input: Type.Object({ ...note, body: optional(comment()), resolved: Resolved }),
    check: [exactlyOne('body', 'resolved'), wholeSuggestions('body')],
    adapt: editedOnLine,
    local: [UNCHECKED],
    request:
      'PUT /projects/{project_id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}',
    notice: allSaid(goneNote, linesUnchecked),
    // Without resolved, the forge refuses because of the text.
    reason: { ...ofAlone, statuses: [400, 403], with: 'resolved' },
    advice: { ...resolving, 400: [goneWithout] }
  }),
  rest({
    name: 'delete_merge_request_discussion_note',
    class: 'destructive',
    does: ['delete_merge_request_note'],
    title: 'Delete thread note',
    summary: 'Delete it for good.',
    input: Type.Object(note),
    request:
      'DELETE /projects/{project_id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}',
    subject: noteText,
    done: 'The note is deleted.'
  })
]
