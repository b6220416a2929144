import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { type Fields, fieldsOf, ownValue } from '../../../src/results/is-record.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { quoted } from '../../../src/results/visible.ts'

/**
 * Refuses contradicting values of the two names. The forge merges automatically if either is true, so true and false
 * together would merge.
 * @throws CallProblem
 */
export function oneAutoMerge({ auto_merge: now, merge_when_pipeline_succeeds: older }: Arguments): void {
  if (now !== undefined && older !== undefined && now !== older)
    throw new CallProblem(
      "'auto_merge' and 'merge_when_pipeline_succeeds' contradict each other: give only auto_merge."
    )
}

/**
 * Forges before 17.11 do not know auto_merge: they silently drop it and merge at once. So both names are sent (GitLab's
 * merge requests API). Nothing else is added.
 */
export const autoMergeByBothNames = (args: Arguments): Record<string, unknown> =>
  args.auto_merge === true ? { ...args, merge_when_pipeline_succeeds: true } : { ...args }

/** Merge statuses that pass by themselves. */
const passing: ReadonlySet<unknown> = new Set(['checking', 'ci_still_running', 'preparing', 'unchecked'])

/**
 * The notice for a scheduled merge, which the forge answers with 200 like a completed one. It names what the merge
 * waits for, unless that passes by itself.
 * @param value the merge request after the call
 */
export function notMergedYet(
  value: unknown,
  _args: Arguments,
  context: { readonly mayRun: MayRun }
): string | undefined {
  const { detailed_merge_status: status, ...request } = fieldsOf(value)
  const { state } = request
  if (state === 'merged' || state === undefined) return undefined
  const said = `Not merged yet (state ${quoted(state)}): get_merge_request shows how it goes on.`
  const detailed_merge_status = passing.has(status) ? undefined : status
  const obstacles = obstaclesOf({ ...request, detailed_merge_status }, tool => context.mayRun(tool))
  return obstacles === undefined ? said : `${said} It waits, as ${obstacles}.`
}

/**
 * The notice for a merge that squashes although the call says no: a forge takes only a yes, and leaves the rest to the
 * merge request.
 */
export const squashesAnyway = (value: unknown, { squash }: Arguments): string | undefined =>
  squash === false && fieldsOf(value).squash === true
    ? 'Its commits are squashed all the same: the merge request says so, which squash=false of a merge does not change. Before a merge, update_merge_request with squash=false does.'
    : undefined

/**
 * Adds whether the source branch will be removed, which the forge does later: as the call says, or else as the merge
 * request does. Nothing is added if the answer does not tell.
 */
export function withFateOfBranch(value: unknown, { should_remove_source_branch: asked }: Arguments): unknown {
  const request = fieldsOf(value)
  const wishes = [request.should_remove_source_branch, request.force_remove_source_branch]
  if (wishes.includes(undefined) && !wishes.includes(true)) return request
  return {
    ...request,
    removes_source_branch: [asked, ...wishes].find(wish => typeof wish === 'boolean') ?? false
  }
}

/** What to do about each merge status (GitLab's merge requests API, detailed_merge_status). */
const remedies: Readonly<Record<string, string>> = {
  broken_status: 'the merge fails: source and target may have diverged, rebase_merge_request may help',
  checking: 'the forge is still checking: try again in a few seconds',
  unchecked: 'the forge has not checked yet: try again in a few seconds',
  preparing: 'the diff is being made: try again in a few seconds',
  ci_must_pass: 'its pipeline must pass first',
  ci_still_running: 'its pipeline is running: merge with auto_merge, or wait',
  commits_status: 'the source branch is missing or has no commits',
  conflict: 'it conflicts with the target branch: get_merge_request_conflicts says what to do',
  discussions_not_resolved: 'all threads must be resolved first: resolve_merge_request_thread',
  draft_status: 'it is a draft: update_merge_request with draft=false',
  need_rebase: 'it must be rebased first: rebase_merge_request',
  not_approved: 'approvals are missing: get_merge_request_approval_state says whose',
  not_open: 'it is not open',
  requested_changes: 'a reviewer asked for changes',
  merge_request_blocked: 'another merge request must be merged first'
}

type MayRun = (tool: string) => boolean

/** The remedy for a status, without its advice if the tool in that advice is off. */
function remedyFor(status: string, mayRun: MayRun): string | undefined {
  const remedy = ownValue(remedies, status)
  const tool = remedy && /\b\w+_merge_request\w*/.exec(remedy)?.[0]
  return tool === undefined || mayRun(tool) ? remedy : remedy?.slice(0, remedy.indexOf(': '))
}

/**
 * Other obstacles, read from other fields of the merge request. A forge reports only one status, but there may be more
 * obstacles.
 */
const alsoInTheWay: readonly (readonly [status: string, isSo: (request: Fields) => boolean])[] = [
  ['draft_status', ({ draft }) => draft === true],
  ['conflict', ({ has_conflicts }) => has_conflicts === true],
  ['discussions_not_resolved', ({ blocking_discussions_resolved: done }) => done === false]
]

/**
 * Everything known that keeps an open merge request from being merged, in words; undefined if there is nothing.
 * @param approvalsLeft number of missing approvals
 */
export function obstaclesOf(request: Fields, mayRun: MayRun, approvalsLeft?: unknown): string | undefined {
  const { detailed_merge_status: first } = request
  if (first === 'mergeable') return undefined
  const statuses = new Set([
    String(first),
    ...alsoInTheWay.filter(([, isSo]) => isSo(request)).map(([status]) => status),
    ...(Number(approvalsLeft) > 0 ? ['not_approved'] : [])
  ])
  const words = [...statuses].map(status => remedyFor(status, mayRun)).filter(remedy => remedy !== undefined)
  return words.length === 0 ? undefined : words.join('; ')
}

/** Whether the merge request is merged or closed, so that no other obstacle matters. */
export const isOver = ({ state }: Fields): boolean => state === 'merged' || state === 'closed'

/** Why a merge was refused, according to the merge request itself. */
export function whyNotMerged(request: Fields, _args: Arguments, mayRun: MayRun): string | undefined {
  const { state, detailed_merge_status: status, merge_error: error } = request
  if (state === 'merged') return 'It is merged already: nothing is left to do.'
  if (state !== undefined && state !== 'opened')
    return `It is ${quoted(state)}: update_merge_request with state_event=reopen opens it again.`
  const said = [
    ...(status === undefined ? [] : [`Its detailed_merge_status is ${quoted(status)}`]),
    ...(typeof error === 'string' ? [`its merge_error ${JSON.stringify(error.slice(0, 500))}`] : [])
  ]
  if (said.length === 0) return undefined
  const remedy = obstaclesOf(request, mayRun)
  return `${said.join(', ')}${remedy === undefined ? '' : `: ${remedy}`}.`
}
