import { Type } from 'typebox'
import { atLeastOne } from '../../../src/engine/rows/checks.ts'
import { comment, flag, oneOf, optional, text, threadId, wholeList } from '../../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { allSaid } from '../../families/items/all-said.ts'
import { firstLine } from '../../families/items/first-line.ts'
import { suggestsNothing, wholeSuggestions } from '../../families/items/suggestion-blocks.ts'
import {
  CommentLineToo,
  commentLineChecks,
  commentLineNames,
  inThread,
  placedByLine,
  SUGGESTION,
  withCode
} from '../notes/comment-line.ts'
import { PositionToo, unplaced } from '../notes/position.ts'
import { linesUnchecked } from '../notes/suggestion-places.ts'
import { mergeRequest } from '../one.ts'
import { checkDraft, checkDrafts } from './draft-texts.ts'
import { changesMore, draftCompleted, resolveUnchanged } from './draft-update.ts'
import { publishedAsReview } from './review-summary.ts'

const approves = 'approve_merge_request approves'
const draft = { ...mergeRequest, draft_note_id: text() }

/** The tools that write the kinds of comments that a draft becomes when it is published. */
const published = [
  'create_merge_request_note',
  'create_merge_request_thread',
  'create_merge_request_discussion_note'
]

export const draftRows: readonly ToolRow[] = [
  rest({
    name: 'list_draft_notes',
    class: 'read',
    record: 'draft_note',
    title: 'Draft notes',
    summary: 'List your drafts.',
    input: Type.Object(mergeRequest, wholeList),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes'
  }),
  rest({
    name: 'get_draft_note',
    class: 'read',
    record: 'draft_note',
    title: 'Draft note',
    summary: 'Get one draft.',
    input: Type.Object(draft),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}'
  }),
  rest({
    name: 'create_draft_note',
    class: 'write',
    doesWith: { resolve_discussion: { true: 'resolve_merge_request_thread' } },
    hiddenActions: 'published',
    record: 'draft_note',
    title: 'Create draft note',
    summary: 'Write a note only you see until published.',
    input: Type.Object({
      ...mergeRequest,
      body: inThread('May hold a suggestion block, as there', comment(SUGGESTION)),
      in_reply_to_discussion_id: optional(threadId('mr_discussions')),
      ...CommentLineToo,
      position: optional(PositionToo),
      resolve_discussion: optional(flag('Once it is published'))
    }),
    check: [...commentLineChecks, wholeSuggestions('body')],
    adapt: placedByLine,
    local: commentLineNames,
    shape: withCode,
    request: 'POST /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes',
    rename: { body: 'note' },
    notice: linesUnchecked,
    advice: unplaced
  }),
  rest({
    name: 'update_draft_note',
    class: 'write',
    hiddenActions: 'published',
    record: 'draft_note',
    title: 'Edit draft note',
    summary: 'Change its text or position.',
    input: Type.Object({
      ...draft,
      body: optional(comment()),
      ...CommentLineToo,
      position: optional(PositionToo),
      resolve_discussion: optional(flag('Not changed'))
    }),
    check: [
      ...commentLineChecks,
      atLeastOne('body', 'path', 'position', 'resolve_discussion'),
      changesMore,
      wholeSuggestions('body')
    ],
    adapt: async (args, context) => placedByLine(await draftCompleted(args, context), context),
    local: [...commentLineNames, 'in_reply_to_discussion_id'],
    shape: withCode,
    request: 'PUT /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}',
    rename: { body: 'note' },
    advice: unplaced,
    notice: allSaid(resolveUnchanged, linesUnchecked)
  }),
  rest({
    name: 'delete_draft_note',
    class: 'destructive',
    title: 'Delete draft note',
    summary: 'Delete a draft.',
    input: Type.Object(draft),
    request: 'DELETE /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}',
    subject: {
      read: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}',
      field: 'note',
      noun: 'draft note',
      shown: firstLine
    },
    done: 'The draft note is deleted.'
  }),
  rest({
    name: 'publish_draft_note',
    class: 'write',
    does: published,
    title: 'Publish draft note',
    summary: 'Publish one.',
    input: Type.Object(draft),
    adapt: async (args, context) => {
      await checkDraft(args, context)
      return args
    },
    request:
      'PUT /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}/publish',
    done: 'The draft note is published.'
  }),
  rest({
    name: 'bulk_publish_draft_notes',
    class: 'write',
    does: published,
    hiddenActions: 'unseen',
    title: 'Publish all drafts',
    summary: 'Publish all your drafts.',
    input: Type.Object({
      ...mergeRequest,
      reviewer_state: optional({
        ...oneOf(['reviewed', 'requested_changes'], 'GitLab 19.2 on; approve_merge_request approves'),
        alias: {
          changes_requested: 'requested_changes',
          request_changes: 'requested_changes',
          comment: 'reviewed',
          commented: 'reviewed'
        },
        instead: { approve: approves, approved: approves }
      }),
      note: optional(comment('Summary, published too')),
      internal: optional(flag('Only for members'))
    }),
    check: [suggestsNothing('note', 'create_draft_note takes path and line')],
    adapt: async (args, context) => {
      await checkDrafts(args, context)
      return publishedAsReview(args, context)
    },
    request: 'POST /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes/bulk_publish',
    done: 'Your draft notes of this merge request are published, if there were any.'
  })
]
