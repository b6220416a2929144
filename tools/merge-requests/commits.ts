import { Type } from 'typebox'
import { flag, optional, Page, wholeList } from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { bySourceBranch, OneMergeRequest } from './by-source-branch.ts'
import { mergeRequest } from './one.ts'

/** Tools that list what belongs to a merge request besides its diffs and comments. */
export const attachedRows: readonly ToolRow[] = [
  rest({
    name: 'list_merge_request_commits',
    class: 'read',
    title: 'MR commits',
    summary: 'List its commits, newest first.',
    input: Type.Object({ ...OneMergeRequest, ...Page }),
    lookup: bySourceBranch,
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/commits',
    local: ['source_branch'],
    record: 'commit'
  }),
  rest({
    name: 'list_merge_request_closes_issues',
    class: 'read',
    does: ['list_issues'],
    beyond: 'shows',
    title: 'Issues it closes',
    summary: 'List issues that merging it closes.',
    input: Type.Object({ ...mergeRequest, ...Page }),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/closes_issues',
    record: 'issue'
  }),
  rest({
    name: 'list_merge_request_participants',
    class: 'read',
    title: 'MR participants',
    summary: 'List who takes part, or reviewers and how far they are.',
    input: Type.Object({ ...mergeRequest, reviewers: optional(flag('Only reviewers')) }, wholeList),
    request: [
      'GET /projects/{project_id}/merge_requests/{merge_request_iid}/participants',
      'GET /projects/{project_id}/merge_requests/{merge_request_iid}/reviewers'
    ],
    choose: ({ reviewers }) =>
      reviewers === true
        ? 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/reviewers'
        : 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/participants',
    local: ['reviewers']
  })
]
