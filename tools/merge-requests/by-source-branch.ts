import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { LookupContext } from '../../src/engine/context.ts'
import type { Lookup } from '../../src/engine/names/lookup.ts'
import { PAGE } from '../../src/engine/requests/pages.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { MergeRequestIid, optional, ProjectId } from '../../src/engine/rows/fields.ts'
import { branchOf } from '../../src/engine/rows/revisions.ts'
import { branchLike } from '../../src/engine/suggestions/names.ts'
import { recordsIn } from '../../src/results/is-record.ts'

const request = 'GET /projects/{project_id}/merge_requests'

/**
 * The lookup of tools that accept a merge request by number or by branch. A branch may have had several merge requests:
 * the open one is used, otherwise the latest. Several may be open, each for another target branch or from another fork.
 */
export const bySourceBranch: Lookup = {
  fill: 'merge_request_iid',
  by: 'source_branch',
  lists: [
    { request, query: { state: 'opened', per_page: '5' } },
    {
      request,
      query: { state: 'all', per_page: '1' },
      remark: 'It is the latest of that branch; none is open.'
    }
  ],
  field: 'iid',
  noun: 'merge request',
  apart: 'target_branch',
  suggest: openLike,
  hint: 'list_merge_requests says which have one.'
}

/** The branch with a similar name that has an open merge request. */
async function openLike(
  branch: string,
  args: Arguments,
  context: LookupContext
): Promise<string | undefined> {
  if (!context.mayRun('list_merge_requests')) return undefined
  const place = requestTo(request, args, queryOf({ state: 'opened', per_page: PAGE }))
  const { value } = await context.forge.send(place).catch(() => ({ value: [] }))
  const open = recordsIn(value).slice(0, PAGE)
  return branchLike(
    branch,
    open.map(one => one.source_branch).filter(name => typeof name === 'string')
  )
}

export const OneMergeRequest = {
  project_id: ProjectId,
  merge_request_iid: optional(MergeRequestIid),
  source_branch: optional(branchOf())
}
