import type { ToolContext } from '../../../src/engine/context.ts'
import { you } from '../../../src/engine/names/people.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { isRecord } from '../../../src/results/is-record.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import type { Send } from './publishing.ts'

/*
 * A forge keeps a review state only for reviewers. For other people it publishes the rest of a review without saying
 * so.
 */

/** The caller's id. A job token does not tell who its owner is. */
const yourId = async (context: ToolContext): Promise<number | undefined> =>
  (await you('verdict', context).catch(() => undefined))?.id

/**
 * Refuses to request changes on the caller's own merge request.
 * @throws CallProblem if the caller is known to be the author
 */
export async function refuseOnesOwn(
  verdict: string | undefined,
  send: Send,
  context: ToolContext
): Promise<void> {
  if (verdict !== 'request_changes') return
  const [id, request] = await Promise.all([yourId(context), send('GET ')])
  const { author } = recordOf(request)
  if (id !== undefined && isRecord(author) && author.id === id)
    throw new CallProblem(
      'This merge request is yours, and changes are requested by others only: leave out verdict. Nothing was published.'
    )
}

/** Tells whether the forge recorded the requested changes, as far as it says so. */
export async function changesRequested(
  verdict: string | undefined,
  send: Send,
  context: ToolContext
): Promise<{ fields: { requested_changes?: true }; problem?: string }> {
  if (verdict !== 'request_changes') return { fields: {} }
  const [id, reviewers] = await Promise.all([
    yourId(context),
    context.lookups.within(() => send('GET /reviewers')).catch(() => undefined)
  ])
  const isYours = (row: unknown) =>
    isRecord(row) && row.state === 'requested_changes' && isRecord(row.user) && row.user.id === id
  if (Array.isArray(reviewers) && reviewers.some(isYours)) return { fields: { requested_changes: true } }
  if (reviewers === undefined)
    return {
      fields: {},
      problem:
        'Whether changes are requested now could not be read. The review is published: give the verdict alone to ask for them again.'
    }
  return {
    fields: {},
    problem:
      'Changes are not requested, as far as the forge tells: it has no such state of yours. It keeps that of reviewers only: once you are one of them, give the verdict alone. What else the review said is published.'
  }
}
