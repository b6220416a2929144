import type { Arguments } from '../../../src/engine/checks.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { CallProblem } from '../../../src/engine/problem.ts'
import { recordOf } from '../../../src/engine/record.ts'
import { type Part, readParts, sideBySide } from '../../../src/engine/side-by-side.ts'
import { placeOf } from '../../../src/engine/template.ts'
import type { ToolOutput } from '../../../src/results/result.ts'
import { type Place, positionsOf } from '../comment-line.ts'
import { publishedAsReview, takesSummary } from '../review.ts'
import { headIfReviewed } from '../whole-sha.ts'
import { checkThreads } from './reply-threads.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Reply {
  readonly discussion_id: string
  readonly body?: string
  readonly resolved?: boolean
}

interface Given {
  readonly project_id: string
  readonly merge_request_iid: string
  readonly sha?: string
  readonly comments?: readonly Arguments[]
  readonly replies?: readonly Reply[]
  readonly summary?: string
  readonly verdict?: 'approve' | 'request_changes'
}

/** Asks the forge in the name of one call. */
type Send = (request: string, more?: Fields, body?: Fields) => Promise<unknown>

const MERGE_REQUEST = '/projects/{project_id}/merge_requests/{merge_request_iid}'

/**
 * Gives a review as a whole: comments and replies become drafts that are published at once with the summary, then
 * threads are resolved, then it is approved. Whatever can be refused beforehand is, so that nothing is half published;
 * what fails after that says so beside what was done.
 * @throws CallProblem where a comment has no place or a reply no thread, where its author has drafts of another review,
 *   and where the merge request is not at `sha`; what the forge refuses before anything is published
 */
export async function submitReview(args: Given, context: ToolContext): Promise<ToolOutput> {
  const { sha, comments = [], replies = [], verdict, ...rest } = args
  const { summary = '', ...one } = rest
  const send: Send = async (request, more = {}, body) => {
    const [method, path] = request.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
    const place = placeOf(`${method} ${MERGE_REQUEST}${path}`, { ...one, ...more })
    return (await context.forge.send({ method, ...place, ...(body && { body }) })).value
  }
  const isTogether = summary !== '' && (await takesSummary(context))
  const review = {
    ...(isTogether && { note: summary }),
    ...(verdict === 'request_changes' && { reviewer_state: 'requested_changes' })
  }
  await publishedAsReview(review, context)
  const [{ places, reviewed }] = await Promise.all([
    placed(one, comments, sha, send, context),
    checkThreads(one, replies, context)
  ])
  const drafts = [
    ...comments.map(({ body }, at) => ({ note: body, position: places[at]!.position })),
    ...replies.filter(({ body }) => body).map(draftOf)
  ]
  const publishes = drafts.length > 0 || Object.keys(review).length > 0
  if (publishes) {
    await refuseOthersDrafts(send)
    await keepDrafts(send, drafts)
    await send('POST /draft_notes/bulk_publish', {}, review)
  }
  if (summary !== '' && !isTogether) await send('POST /notes', {}, { body: summary })
  const toResolve = replies.filter(({ body, resolved }) => resolved !== undefined && !(body && resolved))
  const resolved = await sideBySide(toResolve, 2, ({ discussion_id, resolved }) =>
    readParts({ done: () => send('PUT /discussions/{discussion_id}', { discussion_id }, { resolved }) })
  )
  const approve = async () =>
    verdict === 'approve' ? recordOf(await send('POST /approve', {}, reviewed)) : {}
  const isAlone = !publishes && replies.length === 0 && summary === ''
  const approval: Part<Fields> = isAlone ? { value: await approve() } : (await readParts({ approve })).approve
  const problems = [
    ...resolved.map(({ done }, at) => problemOf(`Thread ${toResolve[at]!.discussion_id}`, done)),
    problemOf('Approval', approval)
  ].filter(problem => problem !== undefined)
  return {
    value: {
      published: drafts.length + Number(summary !== ''),
      ...(places.length > 0 && { on: places.map(({ on }) => on) }),
      threads_resolved: replies.filter(({ resolved }) => resolved === true).length - failures(resolved),
      ...(verdict === 'request_changes' && { requested_changes: true }),
      ...(verdict === 'approve' && {
        approved: approval.problem === undefined,
        approvals_left: approval.value?.approvals_left
      })
    },
    own: true,
    notices: problems
  }
}

const failures = (parts: readonly { done: Part<unknown> }[]): number =>
  parts.filter(({ done }) => done.problem !== undefined).length

const problemOf = (what: string, { problem }: Part<unknown>): string | undefined =>
  problem === undefined ? undefined : `${what}: ${problem}`

const draftOf = ({ discussion_id, body, resolved }: Reply): Fields => ({
  note: body,
  in_reply_to_discussion_id: discussion_id,
  ...(resolved === true && { resolve_discussion: true })
})

/** @returns the head's whole name @throws CallProblem where it is not what was reviewed */
function checkedHead(head: unknown, reviewed: string): string {
  const whole = headIfReviewed(head, reviewed)
  if (whole === undefined)
    throw new CallProblem(
      `The head is ${String(head)} and not ${reviewed}: review what is new. Nothing was published.`
    )
  return whole
}

/** The places of comments, all of which are known to be there, on the head that was reviewed. */
async function placed(
  one: Arguments,
  comments: readonly Arguments[],
  sha: string | undefined,
  send: Send,
  context: ToolContext
): Promise<{ places: readonly Place[]; reviewed: Fields }> {
  const read = async () => {
    if (comments.length > 0) return positionsOf(one, comments, context, 'comments')
    return { places: [], head: sha === undefined ? undefined : recordOf(await send('GET ')).sha }
  }
  const { places, head } = await read().catch(error => {
    throw error instanceof CallProblem ? new CallProblem(`${error.message} Nothing was published.`) : error
  })
  return { places, reviewed: sha === undefined ? {} : { sha: checkedHead(head, sha) } }
}

/** What is published is all that its author has kept, of a review begun elsewhere, too. */
async function refuseOthersDrafts(send: Send): Promise<void> {
  const others = await send('GET /draft_notes')
  if (Array.isArray(others) && others.length > 0)
    throw new CallProblem(
      `You have ${others.length} draft notes here already, which would be published with this review. Nothing was done: see list_draft_notes, then publish or delete them first.`
    )
}

/** Keeps all drafts, in their order, or none. */
async function keepDrafts(send: Send, drafts: readonly Fields[]): Promise<void> {
  const kept: unknown[] = []
  try {
    for (const draft of drafts) kept.push(recordOf(await send('POST /draft_notes', {}, draft)).id)
  } catch (error) {
    await sideBySide(kept, 2, draft_note_id =>
      send('DELETE /draft_notes/{draft_note_id}', { draft_note_id }).catch(() => undefined)
    )
    throw error
  }
}
