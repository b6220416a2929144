import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'
import { approvalRuleRows } from './approval-rules.ts'
import { approvalRows } from './approvals.ts'
import { backportRow } from './backport.ts'
import { branchRows } from './branches.ts'
import { attachedRows } from './commits.ts'
import { diffRows } from './diffs.ts'
import { discussionRows } from './discussions.ts'
import { draftRows } from './drafts.ts'
import { mergeRequestRows } from './merge-requests.ts'
import { mergeTrainRows } from './merge-trains.ts'
import { mergingRows } from './merging.ts'
import { noteRows } from './notes.ts'
import { rawDiffRow } from './raw-diff.ts'
import { reactionRows } from './reactions.ts'
import { rebaseRow } from './rebase.ts'
import { reviewRows } from './review/row.ts'
import { suggestionRows } from './suggestions.ts'
import { versionRows } from './versions.ts'

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

export default toolsetPlugin(mergeRequests)
