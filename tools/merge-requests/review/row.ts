import { Type } from 'typebox'
import { optional } from '../../../src/catalog/fields.ts'
import { custom, type ToolRow } from '../../../src/catalog/row.ts'
import { bySourceBranch, OneMergeRequest } from '../by-source-branch.ts'
import { DEFAULT_DIFF_CHARS, MAX_DIFF_CHARS, review } from './review.ts'

export const reviewRows: readonly ToolRow[] = [
  custom({
    name: 'review_merge_request',
    class: 'read',
    title: 'Review MR',
    summary:
      'Read all that a review needs at once: state, what stands in the way of merging, approvals, open threads, failed jobs, numbered diffs.',
    input: Type.Object({
      ...OneMergeRequest,
      diff_chars: optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_DIFF_CHARS,
          default: DEFAULT_DIFF_CHARS,
          description: 'Most characters of diffs; what is over is named'
        })
      )
    }),
    lookup: bySourceBranch,
    idempotent: true,
    run: async (args, context) => ({ value: await review(args, context) })
  })
]
