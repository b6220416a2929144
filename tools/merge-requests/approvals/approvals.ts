import { Type } from 'typebox'
import { optional, secret } from '../../../src/engine/rows/fields.ts'
import { custom, rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { mergeRequest } from '../one.ts'
import { headSha, withWholeSha } from '../whole-sha.ts'
import { approvalState } from './approval-state.ts'

export const approvalRows: readonly ToolRow[] = [
  rest({
    name: 'approve_merge_request',
    class: 'write',
    record: 'approval',
    title: 'Approve',
    summary: 'Approve it, with sha only if still the head.',
    input: Type.Object({
      ...mergeRequest,
      sha: optional(headSha('Head you reviewed')),
      approval_password: optional(secret('If asked for'))
    }),
    adapt: withWholeSha,
    request: 'POST /projects/{project_id}/merge_requests/{merge_request_iid}/approve',
    advice: {
      401: 'The approval was not accepted: you may have approved already, may not approve this one (your own, by its rules, or no longer open), or must give the right approval_password. get_merge_request_approval_state tells.',
      409: 'Its head is not that sha: get_merge_request has the whole sha. Review its new head, then approve that sha.'
    }
  }),
  rest({
    name: 'unapprove_merge_request',
    class: 'write',
    record: 'approval',
    title: 'Unapprove',
    summary: 'Withdraw your approval.',
    input: Type.Object(mergeRequest),
    request: 'POST /projects/{project_id}/merge_requests/{merge_request_iid}/unapprove',
    advice: { 404: 'Check the ids; the forge also answers 404 when you have not approved it.' }
  }),
  custom({
    name: 'get_merge_request_approval_state',
    class: 'read',
    record: 'approval_state',
    title: 'Approvals',
    summary: 'Tell who approved it, and its rules.',
    idempotent: true,
    input: Type.Object(mergeRequest),
    run: approvalState
  })
]
