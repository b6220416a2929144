import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { approvalRuleRows } from './approvals/approval-rules.ts'
import { approvalRows } from './approvals/approvals.ts'
import { branchRows } from './branches.ts'
import { attachedRows } from './commits.ts'
import { diffRows } from './diffs/diffs.ts'
import { rawDiffRow } from './diffs/raw-diff.ts'
import { versionRows } from './diffs/versions.ts'
import { draftRows } from './drafts/drafts.ts'
import { mergeRequestRows } from './merge-requests.ts'
import { backportRow } from './merging/backport.ts'
import { mergeTrainRows } from './merging/merge-trains.ts'
import { mergingRows } from './merging/merging.ts'
import { rebaseRow } from './merging/rebase.ts'
import { discussionRows } from './notes/discussions.ts'
import { noteRows } from './notes/notes.ts'
import { reactionRows } from './notes/reactions.ts'
import { suggestionRows } from './notes/suggestions.ts'
import { reviewRows } from './review/row.ts'

export const mergeRequests: Toolset = {
  id: 'merge_requests',
  summary: 'Merge requests with their branches, diffs, reviews and discussions.',
  rows: [
    ...mergeRequestRows,
    ...reviewRows,
    ...mergingRows,
    rebaseRow,
    backportRow,
    ...approvalRows,
    ...approvalRuleRows,
    ...mergeTrainRows,
    ...attachedRows,
    ...diffRows,
    rawDiffRow,
    ...versionRows,
    ...branchRows,
    ...noteRows,
    ...discussionRows,
    ...suggestionRows,
    ...draftRows,
    ...reactionRows
  ]
}
