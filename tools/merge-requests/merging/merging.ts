import { Type } from 'typebox'
import { commitMessage, flag, optional, Page } from '../../../src/engine/rows/fields.ts'
import { custom, rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { allSaid } from '../../families/items/all-said.ts'
import { mergeRequest, mergeRequestTitle } from '../one.ts'
import { headSha, withWholeSha } from '../whole-sha.ts'
import { conflicts } from './conflicts.ts'
import {
  autoMergeByBothNames,
  isOver,
  notMergedYet,
  oneAutoMerge,
  squashesAnyway,
  whyNotMerged,
  withFateOfBranch
} from './merge-flags.ts'

export const mergingRows: readonly ToolRow[] = [
  rest({
    name: 'merge_merge_request',
    class: 'destructive',
    doesWith: { should_remove_source_branch: { true: 'delete_branch' } },
    beyond: 'shows',
    record: 'merge',
    title: 'Merge',
    summary: 'Merge now, or by auto_merge once the pipeline passes; give the sha you reviewed.',
    input: Type.Object(
      {
        ...mergeRequest,
        sha: optional(headSha('Refused if not the head')),
        auto_merge: optional(flag('Once the pipeline passes')),
        merge_when_pipeline_succeeds: optional(flag()),
        merge_commit_message: optional(commitMessage()),
        squash_commit_message: optional(commitMessage()),
        squash: optional(flag()),
        should_remove_source_branch: optional(flag()),
        skip_merge_train: optional(flag('Merge at once (Premium)'))
      },
      { instead: { merge_method: 'squash=true squashes; how else it is merged is set of the project' } }
    ),
    check: [oneAutoMerge],
    adapt: async (args, context) => autoMergeByBothNames(await withWholeSha(args, context)),
    request: 'PUT /projects/{project_id}/merge_requests/{merge_request_iid}/merge',
    subject: mergeRequestTitle,
    undo: 'Once merged, only another change takes it back.',
    notice: allSaid(notMergedYet, squashesAnyway),
    shape: withFateOfBranch,
    reason: {
      statuses: [405, 422],
      read: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}',
      say: whyNotMerged,
      isAll: isOver
    },
    advice: {
      401: "The token's owner may not merge into this target branch, or the token is not valid.",
      405: 'It cannot be merged now.',
      409: 'Its head is not that sha, or it changes just now: get_merge_request has the whole sha. Review what is new, then merge with the new sha.',
      422: 'The merge was tried and failed.'
    }
  }),
  custom({
    name: 'get_merge_request_conflicts',
    class: 'read',
    title: 'Merge conflicts',
    summary: 'Tell whether it conflicts with its target.',
    idempotent: true,
    input: Type.Object(mergeRequest),
    run: conflicts
  }),
  rest({
    name: 'list_merge_request_pipelines',
    class: 'read',
    beyond: 'shows',
    record: 'pipeline',
    title: 'MR pipelines',
    summary: 'List its pipelines, latest first.',
    input: Type.Object({ ...mergeRequest, ...Page }),
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/pipelines'
  })
]
