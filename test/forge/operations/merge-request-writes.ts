import { LEVEL, levelIn, lookupProject, projectOf, usersById } from '../access.ts'
import {
  bodyFlag,
  bodyList,
  bodyText,
  type Call,
  created,
  forbidden,
  noContent,
  type Operations,
  ok,
  refuse,
  unauthorized
} from '../http.ts'
import { setClosed } from '../model/closing.ts'
import { addMergeRequest } from '../model/make.ts'
import { headOf, isDraft, mergeOrSchedule } from '../model/merge-requests.ts'
import { applyLabels, assigneeIds, endTodosOfPlanner, milestoneOf, requireTitle } from '../model/noteables.ts'
import { addSystemNote } from '../model/notes.ts'
import { mergeLevel } from '../model/protection.ts'
import { askReview, assign, mention } from '../model/todos.ts'
import { presentMergeRequest } from '../present/merge-request.ts'
import type { MergeRequest, Project } from '../types.ts'
import { currentMergeRequest } from './merge-requests.ts'

/**
 * The merge request, if the caller may change it: its author and developers may (docs: permissions), others get 403.
 */
const editable = (call: Call): MergeRequest => {
  const request = currentMergeRequest(call)
  if (request.author !== call.user && levelIn(call.user, request.project) < LEVEL.developer) throw forbidden()
  return request
}

const requireBranches = (project: Project, target: Project, source: string, targetBranch: string) => {
  if (project === target && source === targetBranch)
    throw refuse(422, ["You can't use same project/branch for source and target"])
  if (!project.branches.has(source)) throw refuse(400, { source_branch: ['does not exist'] })
  if (!target.branches.has(targetBranch)) throw refuse(400, { target_branch: ['does not exist'] })
  const twin = target.mergeRequests.find(
    ({ state, sourceBranch, targetBranch: into }) =>
      state === 'opened' && sourceBranch === source && into === targetBranch
  )
  if (twin)
    throw refuse(409, [`Another open merge request already exists for this source branch: !${twin.iid}`])
}

/** Applies the description, the assignees and the reviewers. */
const applyPeople = (call: Call, request: MergeRequest) => {
  const { body, state, user: author } = call
  const assignees = assigneeIds(call)
  if (assignees) assign(state, request, usersById(state, assignees), author)
  if ('reviewer_ids' in body)
    askReview(state, request, usersById(state, bodyList(call, 'reviewer_ids') ?? []), author)
  if (!('description' in body)) return
  const before = request.description ?? ''
  request.description = bodyText(call, 'description') ?? null
  mention(state, request, request.description ?? '', { author }, before)
}

/** The project from which a project was forked, over any number of steps. */
const rootOf = (project: Project): Project =>
  project.forkedFrom === null ? project : rootOf(project.forkedFrom)

/**
 * Checks that both projects are of one network of forks (MergeRequest#validate_fork, which lib/api/merge_requests.rb
 * answers with 422).
 */
const requireFork = (source: Project, target: Project) => {
  if (rootOf(source) !== rootOf(target))
    throw refuse(422, ['Source project is not a fork of the target project'])
}

const create = (call: Call) => {
  const project = projectOf(call, LEVEL.developer)
  const target = call.body.target_project_id
    ? lookupProject(call, String(call.body.target_project_id))
    : project
  const [sourceBranch, targetBranch] = [
    bodyText(call, 'source_branch') ?? '',
    bodyText(call, 'target_branch') ?? ''
  ]
  const title = requireTitle(bodyText(call, 'title'))
  requireBranches(project, target, sourceBranch, targetBranch)
  requireFork(project, target)
  const request = addMergeRequest(call.state, target, {
    title,
    author: call.user,
    milestone: milestoneOf(call, target) ?? null,
    sourceProject: project,
    sourceBranch,
    targetBranch,
    forceRemoveSourceBranch: bodyFlag(call, 'remove_source_branch') ?? target.settings.removeSourceBranch,
    squash: bodyFlag(call, 'squash') ?? false,
    allowCollaboration: bodyFlag(call, 'allow_collaboration') ?? false
  })
  applyLabels(call, request)
  applyPeople(call, request)
  return created(presentMergeRequest(call.state, request, call.user, { fresh: true }))
}

const updateTitle = (call: Call, request: MergeRequest, title: string) => {
  const [before, after] = [isDraft(request.title), isDraft(title)]
  request.title = title
  if (before !== after)
    addSystemNote(
      call.state,
      request,
      call.user,
      `marked this merge request as **${after ? 'draft' : 'ready'}**`
    )
}

const update = (call: Call) => {
  const request = editable(call)
  const { body } = call
  const target = bodyText(call, 'target_branch')
  if (target && !request.project.branches.has(target))
    throw refuse(400, { target_branch: ['does not exist'] })
  const milestone = milestoneOf(call, request.project)
  if ('title' in body) updateTitle(call, request, requireTitle(bodyText(call, 'title')))
  if (target) request.targetBranch = target
  endTodosOfPlanner(call, request)
  applyPeople(call, request)
  applyLabels(call, request)
  if (milestone !== undefined) request.milestone = milestone
  request.squash = bodyFlag(call, 'squash') ?? request.squash
  request.discussionLocked = bodyFlag(call, 'discussion_locked') ?? request.discussionLocked
  request.allowCollaboration = bodyFlag(call, 'allow_collaboration') ?? request.allowCollaboration
  request.forceRemoveSourceBranch = bodyFlag(call, 'remove_source_branch') ?? request.forceRemoveSourceBranch
  const event = bodyText(call, 'state_event')
  if (event) setClosed(call.state, request, call.user, event === 'close')
  request.updatedAt = call.state.time()
  return ok(presentMergeRequest(call.state, request, call.user))
}

/**
 * Only people whom the rules of the target branch allow may merge. The refusal is 401, not 403
 * (lib/api/merge_requests.rb).
 */
const mayMerge = ({ user }: Call, { project, targetBranch }: MergeRequest) => {
  if (levelIn(user, project) < mergeLevel(project, targetBranch)) throw unauthorized()
}

const mergeCall = (call: Call) => {
  const request = currentMergeRequest(call)
  mayMerge(call, request)
  const sha = bodyText(call, 'sha')
  if (sha && sha !== headOf(request))
    throw refuse(409, `SHA does not match HEAD of source branch: ${headOf(request)}`)
  const params = {
    mergeMessage: bodyText(call, 'merge_commit_message') ?? null,
    squashMessage: bodyText(call, 'squash_commit_message') ?? null,
    // squash counts only if it is true. False leaves the merge request's own setting.
    squash: bodyFlag(call, 'squash') === true || request.squash,
    removeSource: bodyFlag(call, 'should_remove_source_branch') ?? null
  }
  const auto =
    (bodyFlag(call, 'auto_merge') ?? false) || (bodyFlag(call, 'merge_when_pipeline_succeeds') ?? false)
  mergeOrSchedule(call.state, request, call.user, { auto, params })
  return ok(presentMergeRequest(call.state, request, call.user))
}

export const mergeRequestWrites: Operations = {
  create_merge_request: create,
  update_merge_request: update,
  delete_merge_request: call => {
    const request = currentMergeRequest(call)
    if (levelIn(call.user, request.project) < LEVEL.owner) throw forbidden()
    request.project.mergeRequests = request.project.mergeRequests.filter(other => other !== request)
    return noContent()
  },
  merge_merge_request: mergeCall
}
