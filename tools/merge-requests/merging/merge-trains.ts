import { Type } from 'typebox'
import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { flag, oneOf, optional, Page, ProjectId } from '../../../src/engine/rows/fields.ts'
import { branchInPath } from '../../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { isEmptyList } from '../../../src/results/is-record.ts'
import { mergeRequest, mergeRequestTitle } from '../one.ts'
import { headSha, withWholeSha } from '../whole-sha.ts'

/** Forges before 17.11 only know the older name, and silently drop the newer one. */
const autoMergeByBothNames = (args: Arguments): Arguments =>
  args.auto_merge === true ? { ...args, when_pipeline_succeeds: true } : args

/** The notice for a request that is not on the train yet. The forge accepts it and answers without a record. */
const waitsForChecks = (value: unknown, { auto_merge }: Arguments): string | undefined =>
  auto_merge === true && (value === undefined || isEmptyList(value))
    ? 'It goes on the train once its checks pass: get_merge_request shows what it waits for.'
    : undefined

export const mergeTrainRows: readonly ToolRow[] = [
  rest({
    name: 'add_merge_request_to_merge_train',
    class: 'destructive',
    does: ['merge_merge_request'],
    title: 'Add to merge train',
    summary: 'Queue it for merge, or by auto_merge once checks pass; give the sha you reviewed.',
    input: Type.Object({
      ...mergeRequest,
      auto_merge: optional(flag('Once its checks pass')),
      sha: optional(headSha('Refused if not the head')),
      squash: optional(flag())
    }),
    adapt: async (args, context) => autoMergeByBothNames(await withWholeSha(args, context)),
    request: 'POST /projects/{project_id}/merge_trains/merge_requests/{merge_request_iid}',
    subject: mergeRequestTitle,
    notice: waitsForChecks,
    undo: 'Once merged, only another change takes it back.',
    record: 'merge_train',
    advice: {
      400: 'It cannot go on the train now: get_merge_request says why in detailed_merge_status, and whether sha is its head.',
      403: 'The project has no merge trains, or the token may not merge.',
      409: 'Its head is not that sha: get_merge_request has the whole sha. Review what is new, then add it with the new sha.'
    },
    edition: 'Premium'
  }),
  rest({
    name: 'list_merge_trains',
    class: 'read',
    title: 'Merge trains',
    summary: 'List what is queued for merge, or was.',
    input: Type.Object({
      project_id: ProjectId,
      target_branch: optional(branchInPath()),
      scope: optional(oneOf(['active', 'complete'], 'complete: those that left the train')),
      sort: optional(oneOf(['asc', 'desc'])),
      ...Page
    }),
    request: [
      'GET /projects/{project_id}/merge_trains/{.target_branch}',
      'GET /projects/{project_id}/merge_trains'
    ],
    record: 'merge_train',
    edition: 'Premium'
  })
]
