import { branchOf, MergeRequestIid, optional, ProjectId } from '../../src/catalog/fields.ts'
import type { Lookup } from '../../src/engine/lookup.ts'

const request = 'GET /projects/{project_id}/merge_requests'

/**
 * Tools that take a merge request by number or by branch. A branch may have had several merge requests: the
 * open one counts, else the latest.
 */
export const bySourceBranch: Lookup = {
  fill: 'merge_request_iid',
  by: 'source_branch',
  lists: [
    { request, query: { state: 'opened', per_page: '1' } },
    {
      request,
      query: { state: 'all', per_page: '1' },
      remark: 'It is the latest of that branch; none is open.'
    }
  ],
  field: 'iid',
  noun: 'merge request'
}

export const OneMergeRequest = {
  project_id: ProjectId,
  merge_request_iid: optional(MergeRequestIid),
  source_branch: optional(branchOf())
}
