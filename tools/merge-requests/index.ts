import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'
import { approvalRows } from './approvals.ts'
import { branchRows } from './branches.ts'
import { diffRows } from './diffs.ts'
import { discussionRows } from './discussions.ts'
import { draftRows } from './drafts.ts'
import { mergeRequestRows } from './merge-requests.ts'
import { mergingRows } from './merging.ts'
import { noteRows } from './notes.ts'
import { reactionRows } from './reactions.ts'
import { versionRows } from './versions.ts'

export const mergeRequests: Toolset = {
  id: 'merge_requests',
  summary: 'Merge requests with their branches, diffs, reviews and discussions.',
  rows: [
    ...mergeRequestRows,
    ...mergingRows,
    ...approvalRows,
    ...diffRows,
    ...versionRows,
    ...branchRows,
    ...noteRows,
    ...discussionRows,
    ...draftRows,
    ...reactionRows
  ]
}

export default toolsetPlugin(mergeRequests)
