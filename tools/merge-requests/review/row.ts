import { Type } from 'typebox'
import type { Check } from '../../../src/engine/arguments/values.ts'
import { atLeastOne } from '../../../src/engine/rows/checks.ts'
import { comment, flag, markdown, oneOf, optional, text, threadId } from '../../../src/engine/rows/fields.ts'
import { custom, type ToolRow } from '../../../src/engine/rows/row.ts'
import { elisionBudget } from '../../../src/engine/texts/elisions.ts'
import { CallProblem, eachInPlace } from '../../../src/results/problem.ts'
import { checkWholeSuggestions, suggestsNothing } from '../../families/items/suggestion-blocks.ts'
import { bySourceBranch, OneMergeRequest } from '../by-source-branch.ts'
import { CommentLine, commentLineChecks, inThread, line, SUGGESTION } from '../notes/comment-line.ts'
import { mergeRequest } from '../one.ts'
import { headSha } from '../whole-sha.ts'
import { DEFAULT_DIFF_CHARS, MAX_DIFF_CHARS, review } from './review.ts'
import { approvalAdvice, submitReview } from './submit.ts'

/** How many comments and replies one review may have. */
const MAX_COMMENTS = 50

const inBody = 'body holds it, as a block ```suggestion:-0+0 ... ```'

/** The arguments of create_merge_request_thread, with shorter descriptions. */
const Comment = Type.Object(
  {
    path: text(),
    line: line('After the change'),
    end_line: line('Of several'),
    side: CommentLine.side,
    old_line: line('Instead, of a removed line (-7|)'),
    body: inThread('As in create_merge_request_thread', comment(SUGGESTION))
  },
  { instead: { suggestion: inBody, suggestions: inBody } }
)
const Reply = Type.Object({
  discussion_id: threadId('mr_discussions'),
  body: optional(markdown()),
  resolved: optional(flag())
})

const listOf = (value: unknown) => (value ?? []) as readonly Readonly<Record<string, unknown>>[]

const wholeComments: Check = ({ comments, replies }) => {
  const budget = elisionBudget()
  eachInPlace('comments', listOf(comments), comment => {
    for (const check of commentLineChecks) check(comment)
    checkWholeSuggestions('body', comment, budget)
  })
  eachInPlace('replies', listOf(replies), reply => {
    const { body, resolved } = reply
    checkWholeSuggestions('body', reply, budget)
    if (body === undefined && resolved === undefined)
      throw new CallProblem('it needs body, resolved or both.')
  })
}

export const reviewRows: readonly ToolRow[] = [
  custom({
    name: 'review_merge_request',
    class: 'read',
    beyond: 'shows',
    does: [
      'get_merge_request',
      'get_merge_request_approval_state',
      'list_merge_request_diffs',
      'mr_discussions'
    ],
    title: 'Review MR',
    summary:
      'Read what a review needs: state, blockers, approvals, open threads, failed jobs, numbered diffs.',
    input: Type.Object({
      ...OneMergeRequest,
      diff_chars: optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_DIFF_CHARS,
          default: DEFAULT_DIFF_CHARS,
          description: 'Most characters of diffs'
        })
      )
    }),
    lookup: bySourceBranch,
    idempotent: true,
    run: async (args, context) => ({ value: await review(args, context) })
  }),
  custom({
    name: 'submit_review',
    class: 'write',
    does: [
      'approve_merge_request',
      'bulk_publish_draft_notes',
      'create_draft_note',
      'create_merge_request_discussion_note',
      'create_merge_request_note',
      'create_merge_request_thread',
      'resolve_merge_request_thread'
    ],
    hiddenActions: 'unseen',
    title: 'Submit review',
    summary: 'Comment on lines, answer threads, sum up, approve or request changes, all at once.',
    input: Type.Object({
      ...mergeRequest,
      sha: optional(headSha('Head you reviewed')),
      comments: optional(
        Type.Array(Comment, { maxItems: MAX_COMMENTS, description: 'On lines of the diff' })
      ),
      replies: optional(
        Type.Array(Reply, { maxItems: MAX_COMMENTS, description: 'To threads: body, resolved or both' })
      ),
      summary: optional(comment('Comment on the whole')),
      verdict: optional({
        ...oneOf(['approve', 'request_changes']),
        problem: '; to comment only, leave it out'
      })
    }),
    check: [
      atLeastOne('comments', 'replies', 'summary', 'verdict'),
      wholeComments,
      suggestsNothing('summary', 'put it into comments, with path and line')
    ],
    idempotent: false,
    run: submitReview,
    advice: {
      ...approvalAdvice,
      400: [
        [
          /not allowed to resolve/,
          'Leave its resolved out. A reply to a resolved thread would open it: create_merge_request_discussion_note leaves it resolved.'
        ]
      ]
    }
  })
]
