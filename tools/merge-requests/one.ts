import { MergeRequestIid, ProjectId } from '../../src/catalog/fields.ts'
import type { Confirmation } from '../../src/engine/confirm.ts'

/** Names one merge request, for the tools that take no branch instead. */
export const mergeRequest = { project_id: ProjectId, merge_request_iid: MergeRequestIid }

/** What a person is asked about who is to agree to what is done to it. */
export const mergeRequestTitle: Confirmation = {
  read: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}',
  field: 'title',
  noun: 'merge request'
}

/** Of one of its notes, in a thread or not, by note_id. */
export const noteText: Confirmation = {
  read: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/notes/{note_id}',
  field: 'body',
  noun: 'note',
  shown: firstLine
}

/** Of a text that is too long for a name. */
export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!.trim()
}
