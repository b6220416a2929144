import { Type } from 'typebox'
import {
  CreatedAt,
  flag,
  MergeRequestIid,
  optional,
  Page,
  ProjectId,
  text
} from '../../src/catalog/fields.ts'
import { rest, type ToolRow } from '../../src/catalog/row.ts'
import { Position } from './position.ts'

const mergeRequest = { project_id: ProjectId, merge_request_iid: MergeRequestIid }

export const discussionRows: readonly ToolRow[] = [
  rest({
    name: 'mr_discussions',
    class: 'read',
    title: 'List merge request discussions',
    summary:
      'List the discussions of a merge request with all their notes; the ids serve for replies and resolving.',
    input: Type.Object({ ...mergeRequest, ...Page }),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/discussions'
  }),
  rest({
    name: 'create_merge_request_note',
    class: 'write',
    title: 'Comment on a merge request',
    summary:
      'Add a comment outside any thread. For a resolvable or diff comment use create_merge_request_thread.',
    input: Type.Object({ ...mergeRequest, body: text('Markdown') }),
    request: 'POST /projects/{project_id}/merge_requests/{merge_request_iid}/notes'
  }),
  rest({
    name: 'create_merge_request_thread',
    class: 'write',
    title: 'Start a merge request thread',
    summary:
      'Start a resolvable thread, on a line of the diff when position is given (get_merge_request has diff_refs).',
    input: Type.Object({
      ...mergeRequest,
      body: text('Markdown'),
      position: optional(Position),
      created_at: optional(CreatedAt)
    }),
    request: 'POST /projects/{project_id}/merge_requests/{merge_request_iid}/discussions'
  }),
  rest({
    name: 'resolve_merge_request_thread',
    class: 'write',
    title: 'Resolve a merge request thread',
    summary: 'Resolve a thread, or reopen it with resolved=false. Returns the thread as it then is.',
    input: Type.Object({ ...mergeRequest, discussion_id: text('From mr_discussions'), resolved: flag() }),
    request: 'PUT /projects/{project_id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}'
  })
]
