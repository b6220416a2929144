import { Type } from 'typebox'
import { text, wholeList } from '../../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { Unidiff } from '../../families/files/unidiff.ts'
import { mergeRequest } from '../one.ts'

const shows = { commits: 'list_merge_request_commits' }

export const versionRows: readonly ToolRow[] = [
  rest({
    name: 'list_merge_request_versions',
    class: 'read',
    shows,
    record: 'version',
    title: 'Diff versions',
    summary: 'List its versions, one a push.',
    input: Type.Object(mergeRequest, wholeList),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/versions',
    whole: {}
  }),
  rest({
    name: 'get_merge_request_version',
    class: 'read',
    shows,
    record: 'version',
    title: 'Diff version',
    summary: 'Get its commits and diffs.',
    input: Type.Object({
      ...mergeRequest,
      version_id: text(),
      unidiff: Unidiff
    }),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/versions/{version_id}'
  })
]
