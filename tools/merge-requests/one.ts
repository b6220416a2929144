import type { Confirmation } from '../../src/engine/consent/confirm.ts'
import { MergeRequestIid, ProjectId } from '../../src/engine/rows/fields.ts'
import { firstLine } from '../families/items/first-line.ts'

/** The arguments of one merge request, for tools that do not accept a branch instead. */
export const mergeRequest = { project_id: ProjectId, merge_request_iid: MergeRequestIid }

/** What is shown to people who are asked to approve an action on the merge request. */
export const mergeRequestTitle: Confirmation = {
  read: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}',
  field: 'title',
  noun: 'merge request'
}

/** The same for one of its notes, in a thread or not, by note_id. */
export const noteText: Confirmation = {
  read: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/notes/{note_id}',
  field: 'body',
  noun: 'note',
  shown: firstLine
}
