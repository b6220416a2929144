import { Type } from 'typebox'
import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { briefly } from '../../../src/engine/lookup-budget.ts'
import { pollUntil } from '../../../src/engine/poll.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { flag, optional } from '../../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { CallProblem, FailedOutcome } from '../../../src/results/problem.ts'
import { shortened } from '../../../src/results/shortened.ts'
import { quoted } from '../../../src/results/visible.ts'
import { mergeRequest } from '../one.ts'
import { isOver } from './merge-flags.ts'

const one = '/projects/{project_id}/merge_requests/{merge_request_iid}'

/** Milliseconds before the first look at the result, and for all looks together. */
const FIRST_MS = 1_000
const ALL_MS = 15_000

/** How many characters of the forge's error message are shown. */
const MAX_SAID = 1_000

const startIn = (text: unknown) => (typeof text === 'string' ? shortened(text, MAX_SAID) : undefined)

export const rebaseRow: ToolRow = rest({
  name: 'rebase_merge_request',
  class: 'write',
  title: 'Rebase',
  summary: 'Rebase its source branch onto the target; rewrites it, may reset approvals.',
  input: Type.Object({
    ...mergeRequest,
    skip_ci: optional(flag('No pipeline for it')),
    wait: optional(Type.Boolean({ description: 'Until done, at most 15 seconds', default: true }))
  }),
  request: `PUT ${one}/rebase`,
  local: ['wait'],
  // The answer is not kept while the tool waits.
  shape: (_, args, context) => outcome(args, context),
  reason: {
    statuses: [403, 409],
    read: `GET ${one}`,
    say: ({ state }) =>
      state === 'merged' || state === 'closed'
        ? `It is ${state}, and only an open merge request is rebased.`
        : undefined,
    isAll: isOver
  },
  advice: {
    403: [
      [
        /source branch does not exist/i,
        'Make the branch again by create_branch, of the sha in get_merge_request, or close the merge request by update_merge_request with state_event=close.'
      ],
      [
        /\bpush\b/i,
        "The token's owner may not push to the source branch, or its fork does not let members of the target do so."
      ]
    ],
    409: 'While a rebase is under way no other begins: get_merge_request shows how it goes on.'
  }
})

/**
 * Waits for the result. The forge rebases in the background; its state is read until the rebase is done or the time is
 * up. If the state cannot be read, the rebase still goes on.
 */
async function outcome({ wait, ...ids }: Arguments, context: ToolContext) {
  const look = requestTo(`GET ${one}`, ids, 'include_rebase_in_progress=true')
  const forge = briefly(context.forge, context.lookups)
  const running = {
    status: 'running',
    next: 'get_merge_request shows a new sha, or in merge_error what failed.'
  }
  if (wait === false) return running
  await context.pause(FIRST_MS)
  let last: Arguments = { rebase_in_progress: true }
  await pollUntil(
    async () => {
      const { sha, rebase_in_progress, merge_error } = recordOf((await forge.send(look)).value)
      last = { sha, rebase_in_progress, merge_error }
    },
    () => last.rebase_in_progress !== true,
    ALL_MS - FIRST_MS,
    context
  ).catch(error => {
    if (error instanceof CallProblem) throw error
  })
  const { sha, rebase_in_progress, merge_error } = last
  if (rebase_in_progress === true) return { ...running, sha }
  if (typeof merge_error === 'string' && merge_error !== '') {
    const files = context.mayRun('get_merge_request_conflicts')
      ? ' If it conflicts, get_merge_request_conflicts says what to do.'
      : ''
    throw new FailedOutcome(
      {
        status: 'failed',
        sha: startIn(sha),
        merge_error: startIn(merge_error)
      },
      `The rebase failed and the branch is unchanged: ${quoted(merge_error)}.${files}`
    )
  }
  return { status: 'rebased', sha }
}
