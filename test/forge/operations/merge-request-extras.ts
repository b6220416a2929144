import { levelIn } from '../access.ts'
import {
  accepted,
  bodyFlag,
  bodyList,
  bodyText,
  type Call,
  forbidden,
  notFound,
  type Operations,
  ok,
  paged,
  refuse
} from '../http.ts'
import { closedBy } from '../model/closing.ts'
import { push } from '../model/history.ts'
import { pushLevel } from '../model/protection.ts'
import { startRebase } from '../model/rebase.ts'
import { allSuggestions, filesWith, type Placed, presentSuggestion } from '../model/suggestions.ts'
import { presentIssue } from '../present/issue.ts'
import { presentUser } from '../present/user.ts'
import type { MergeRequest, User } from '../types.ts'
import { currentMergeRequest } from './merge-requests.ts'

const mayPush = (call: Call, { sourceProject, sourceBranch }: MergeRequest) => {
  if (!sourceProject.branches.has(sourceBranch)) throw forbidden('Source branch does not exist')
  if (levelIn(call.user, sourceProject) < pushLevel(sourceProject, sourceBranch))
    throw forbidden('Cannot push to source branch')
}

const rebase = (call: Call) => {
  const request = currentMergeRequest(call)
  mayPush(call, request)
  if (request.state !== 'opened' || request.rebase)
    throw refuse(
      409,
      'Failed to enqueue the rebase operation, possibly due to a long-lived transaction. Try again later.'
    )
  startRebase(call.state, request, call.user, bodyFlag(call, 'skip_ci') ?? false)
  return accepted({ rebase_in_progress: true })
}

const participants = (request: MergeRequest): User[] => [
  ...new Set([
    request.author,
    ...request.assignees,
    ...request.reviewers,
    ...request.discussions.flatMap(({ notes }) => notes.filter(note => !note.system)).map(note => note.author)
  ])
]

const applied = (call: Call, ids: string[]): Placed[] => {
  const all = allSuggestions(call.state)
  const placed = ids.flatMap(id => all.find(({ suggestion }) => String(suggestion.id) === id) ?? [])
  const visible = placed.filter(({ request }) => levelIn(call.user, request.project) > 0)
  if (visible.length < ids.length || new Set(ids).size < ids.length)
    throw notFound('Suggestion is not applicable as the suggestion was')
  const { request } = placed[0]!
  mayPush(call, request)
  if (placed.some(({ suggestion }) => suggestion.applied))
    throw refuse(400, "Can't apply as this suggestion was already applied.")
  const files = filesWith(placed)
  if (!files) throw refuse(400, "Can't apply as the line was changed in a more recent version.")
  const message = bodyText(call, 'commit_message') ?? `Apply ${placed.length} suggestion(s) to 1 file(s)`
  push(call.state, request.sourceProject, request.sourceBranch, { message, author: call.user, files })
  for (const { suggestion } of placed) suggestion.applied = true
  return placed
}

export const mergeRequestExtras: Operations = {
  rebase_merge_request: rebase,
  list_merge_request_closes_issues: call =>
    paged(call, closedBy(currentMergeRequest(call), call.user), issue => presentIssue(call.state, issue)),
  list_merge_request_participants: call =>
    ok(participants(currentMergeRequest(call)).map(user => presentUser(call.state, user))),
  list_merge_request_reviewers: call => {
    const request = currentMergeRequest(call)
    const approvers = request.approvals.map(({ user }) => user)
    return ok(
      request.reviewers.map(user => ({
        user: presentUser(call.state, user),
        state: approvers.includes(user) ? 'approved' : (request.reviewed.get(user) ?? 'unreviewed'),
        created_at: request.createdAt
      }))
    )
  },
  apply_suggestion: call => ok(presentSuggestion(applied(call, [call.params.id ?? ''])[0]!.suggestion)),
  apply_suggestions: call =>
    ok(applied(call, bodyList(call, 'ids') ?? []).map(({ suggestion }) => presentSuggestion(suggestion)))
}
