import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { type Part, readParts, sideBySide } from '../../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { type Advice, notDone } from '../../../src/results/failure.ts'
import type { Fields } from '../../../src/results/is-record.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import type { ToolOutput } from '../../../src/results/result.ts'
import { quoted } from '../../../src/results/visible.ts'
import { publishedAsReview, takesSummary } from '../drafts/review-summary.ts'
import { type CommentPlace, positionsOf } from '../notes/comment-line.ts'
import { headIfReviewed } from '../whole-sha.ts'
import { dropDrafts, keepDrafts, published, refuseOthersDrafts, type Send } from './publishing.ts'
import { checkThreads } from './reply-threads.ts'
import { changesRequested, refuseOnesOwn } from './requested-changes.ts'

interface Reply {
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

/** Advice for an approval that the forge refuses. */
export const approvalAdvice = {
  401: 'This approval was not accepted: either you have approved already, and that counts, or you may not approve this one, or it is no longer open. get_merge_request_approval_state tells which. Where an approval takes a password, approve_merge_request has approval_password for it.',
  409: 'The merge request has changed since: review its new head.'
}

const MERGE_REQUEST = '/projects/{project_id}/merge_requests/{merge_request_iid}'

/**
 * Gives a whole review: creates drafts of the comments and replies, resolves one thread, publishes the drafts at once
 * with the summary, resolves the other threads, then approves. Everything that can be checked before publishing is
 * checked then, so that no half review is published. A failure after that is reported beside what was done.
 * @throws CallProblem if a comment has no place or a reply no thread, if the author has drafts of another review, or if
 * the merge request is not at `sha`; what the forge refuses before anything is published
 */
export async function submitReview(args: Given, context: ToolContext): Promise<ToolOutput> {
  const { sha, comments = [], replies = [], verdict, ...rest } = args
  const { summary = '', ...one } = rest
  const send: Send = async (request, more = {}, body) => {
    const place = requestTo(request.replace(' ', ` ${MERGE_REQUEST}`), { ...one, ...more })
    return (await context.forge.send({ ...place, ...(body && { body }) })).value
  }
  const isTogether = summary !== '' && (await takesSummary(context))
  const review = {
    ...(isTogether && { note: summary }),
    ...(verdict === 'request_changes' && { reviewer_state: 'requested_changes' })
  }
  await publishedAsReview(review, context, { reviewer_state: 'verdict request_changes' })
  const [{ places, reviewed }, endsResolved] = await Promise.all([
    placed(one, comments, sha, send, context),
    checkThreads(one, replies, context),
    refuseOnesOwn(verdict, send, context)
  ])
  const drafts = [
    ...comments.map(({ body }, at) => ({ note: body, position: places[at]!.position })),
    ...replies.filter(({ body }) => body).map(reply => draftOf(reply, endsResolved(reply)))
  ]
  const publishes = drafts.length > 0 || Object.keys(review).length > 0
  if (publishes) await refuseOthersDrafts(send)
  const kept = await keepDrafts(send, drafts)
  const { first, others } = resolvedAlone(replies)
  if (first !== undefined) await resolveFirst(first, kept, send)
  if (publishes) await published(send, review, kept, first?.discussion_id)
  const isBegun = publishes || first !== undefined
  const note = isTogether ? '' : summary
  const approves = verdict === 'approve'
  const done = await completed({ isBegun, note, others, approves, reviewed }, send)
  const request = await changesRequested(verdict, send, context)
  return {
    value: {
      published: drafts.length + Number(summary !== '') - failures([{ done: done.noted }]),
      ...(places.length > 0 && { on: places.map(({ on }) => on) }),
      threads_resolved: replies.filter(({ resolved }) => resolved === true).length - failures(done.resolved),
      ...request.fields,
      ...(approves && approvedFields(done.approval))
    },
    own: true,
    notices: [...problemsOf(done, others), request.problem].filter(problem => problem !== undefined)
  }
}

/**
 * The threads that are resolved or opened by themselves: those that no draft resolves. `first` of them is tried before
 * anything is published, which shows whether the caller may; if drafts resolve all threads, it is the first of these.
 */
function resolvedAlone(replies: readonly Reply[]): { first: Reply | undefined; others: readonly Reply[] } {
  const alone = replies.filter(({ body, resolved }) => resolved !== undefined && !(body && resolved))
  return { first: alone[0] ?? replies.find(({ resolved }) => resolved !== undefined), others: alone.slice(1) }
}

const resolve = ({ discussion_id, resolved }: Reply, send: Send) =>
  send('PUT /discussions/{discussion_id}', { discussion_id }, { resolved })

/** Resolves or opens a thread before anything is published. If that fails, the drafts are deleted. */
async function resolveFirst(first: Reply, kept: readonly unknown[], send: Send): Promise<void> {
  try {
    await resolve(first, send)
  } catch (error) {
    await dropDrafts(send, kept)
    throw notDone(
      error,
      `Thread ${quoted(first.discussion_id)} cannot be resolved or opened. Nothing was published.`
    )
  }
}

/** What remains to be done once the drafts are published. */
interface Remaining {
  /** Whether anything was done before. */
  readonly isBegun: boolean
  /** The summary, if it was not published with the drafts; otherwise empty. */
  readonly note: string
  /** Threads that are yet to be resolved or opened. */
  readonly others: readonly Reply[]
  readonly approves: boolean
  /** The head that is approved, if it is given. */
  readonly reviewed: Fields
}

/** What came of it. */
interface Completed {
  readonly noted: Part<unknown>
  readonly resolved: readonly { readonly done: Part<unknown> }[]
  readonly approval: Part<Fields>
}

/** Does what remains of a review. A failure is reported beside what was done, and thrown if nothing was. */
async function completed(
  { isBegun, note, others, approves, reviewed }: Remaining,
  send: Send
): Promise<Completed> {
  const sumUp = () => send('POST /notes', {}, { body: note })
  const noted: Part<unknown> = note === '' ? { value: undefined } : await partOf(isBegun, sumUp)
  const resolved = await sideBySide(others, 2, reply => readParts({ done: () => resolve(reply, send) }))
  const approve = async () => (approves ? recordOf(await send('POST /approve', {}, reviewed)) : {})
  const approval = await partOf(isBegun || note !== '', approve, approvalAdvice)
  return { noted, resolved, approval }
}

const problemsOf = (
  { noted, resolved, approval }: Completed,
  others: readonly Reply[]
): readonly (string | undefined)[] => [
  problemOf('Summary', noted),
  ...resolved.map(({ done }, at) => problemOf(`Thread ${quoted(others[at]!.discussion_id)}`, done)),
  problemOf('Approval', approval)
]

/** After a refused approval it is not known whether an earlier one still counts. */
const approvedFields = ({ problem, value }: Part<Fields>): Fields =>
  problem === undefined ? { approved: true, approvals_left: value?.approvals_left } : {}

/**
 * A step of a review.
 * @param isBegun whether another step was done; a failure is then reported beside it
 * @throws what the step throws, if no other step was done
 */
const partOf = async <Value>(
  isBegun: boolean,
  step: () => Promise<Value>,
  advice?: Advice
): Promise<Part<Value>> => (isBegun ? (await readParts({ step }, advice)).step : { value: await step() })

const failures = (parts: readonly { done: Part<unknown> }[]): number =>
  parts.filter(({ done }) => done.problem !== undefined).length

const problemOf = (what: string, { problem }: Part<unknown>): string | undefined =>
  problem === undefined ? undefined : `${what}: ${problem}`

/** @param isResolved whether its thread is to be resolved afterwards: a draft that does not resolve it opens it */
const draftOf = ({ discussion_id, body }: Reply, isResolved: boolean): Fields => ({
  note: body,
  in_reply_to_discussion_id: discussion_id,
  ...(isResolved && { resolve_discussion: true })
})

/**
 * Checks that the head is the commit that was reviewed.
 * @returns the full SHA of the head
 * @throws CallProblem if it is not
 */
function checkedHead(head: unknown, reviewed: string): string {
  const whole = headIfReviewed(head, reviewed)
  if (whole === undefined)
    throw new CallProblem(
      `The head is ${quoted(head)} and not ${quoted(reviewed)}: review what is new. Nothing was published.`
    )
  return whole
}

/** The places of all comments, on the head that was reviewed. It throws if one of them has no place. */
async function placed(
  one: Arguments,
  comments: readonly Arguments[],
  sha: string | undefined,
  send: Send,
  context: ToolContext
): Promise<{ places: readonly CommentPlace[]; reviewed: Fields }> {
  const read = async () => {
    if (comments.length > 0) return positionsOf(one, comments, context, 'comments')
    return { places: [], head: sha === undefined ? undefined : recordOf(await send('GET ')).sha }
  }
  const { places, head } = await read().catch(error => {
    throw error instanceof CallProblem ? new CallProblem(`${error.message} Nothing was published.`) : error
  })
  return { places, reviewed: sha === undefined ? {} : { sha: checkedHead(head, sha) } }
}
