import { refuse } from '../http.ts'
import type { ForgeState } from '../state.ts'
import type { MergeParams, MergeRequest, Pipeline, Project, User, Version } from '../types.ts'
import { approvalStanding } from './approvals.ts'
import { closedBy, setClosed } from './closing.ts'
import { changesBetween, type FileChange } from './diff.ts'
import { addCommit, fetchCommits, mergeBase, mergeFiles } from './history.ts'
import { latestPipeline, statusOf } from './pipelines.ts'

// Docs: draft merge requests. The three prefixes match in any case.
const DRAFT = /^\s*(\[draft\]|draft:|\(draft\))\s*/i

/** Whether a title marks a draft. The forge keeps no other draft flag. */
export const isDraft = (title: string) => DRAFT.test(title)

/** The commit that the source branch points at, or the last known one after the branch is gone. */
export const headOf = (request: MergeRequest): string =>
  request.state === 'opened' || request.state === 'locked'
    ? (request.sourceProject.branches.get(request.sourceBranch)?.sha ?? request.versions.at(-1)!.head)
    : request.versions.at(-1)!.head

const makeVersion = (state: ForgeState, request: MergeRequest, head: string): Version => {
  const { project } = request
  // The same as refs/merge-requests/:iid/head (GitLab's MergeRequest#fetch_ref!).
  fetchCommits(request.sourceProject, project, head)
  const start = project.branches.get(request.targetBranch)?.sha ?? head
  const base = mergeBase(project, start, head)?.sha ?? start
  return { id: state.nextId('version'), base, start, head, createdAt: state.time() }
}

/** Adds a diff version if the source branch has moved. The forge does so on each push. */
export const refreshVersions = (state: ForgeState, request: MergeRequest) => {
  const head = headOf(request)
  if (request.versions.at(-1)?.head !== head) request.versions.push(makeVersion(state, request, head))
}

/** Adds the first version of a new merge request. */
export const firstVersion = (state: ForgeState, request: MergeRequest) => {
  const head = request.sourceProject.branches.get(request.sourceBranch)!.sha
  request.versions.push(makeVersion(state, request, head))
}

/** The file changes of a version. */
export const changesOf = (
  request: MergeRequest,
  version: Version = request.versions.at(-1)!
): FileChange[] => {
  const { commits } = request.project
  return changesBetween(commits.get(version.base)!, commits.get(version.head)!)
}

const mergeResult = (request: MergeRequest) => {
  const { project } = request
  const target = project.branches.get(request.targetBranch)
  const head = project.commits.get(headOf(request))
  if (!target || !head) return undefined
  const tip = project.commits.get(target.sha)!
  const base = mergeBase(project, tip.sha, head.sha)
  return { tip, head, ...mergeFiles(base, tip, head) }
}

/** Whether source and target changed the same lines. REST says nothing more about conflicts. */
export const hasConflicts = (request: MergeRequest): boolean =>
  request.state === 'opened' && (mergeResult(request)?.conflicts.length ?? 0) > 0

/** The newest pipeline of the head commit. */
export const headPipeline = (request: MergeRequest): Pipeline | undefined =>
  latestPipeline(request.project, headOf(request))

/** Whether every resolvable thread is resolved. */
export const threadsResolved = (request: MergeRequest): boolean =>
  request.discussions.every(({ notes }) => notes.every(note => !note.resolvable || note.resolvedAt !== null))

const ciStatus = (request: MergeRequest): string | undefined => {
  if (!request.project.settings.pipelineMustSucceed) return undefined
  const pipeline = headPipeline(request)
  const status = pipeline ? statusOf(pipeline) : 'success'
  if (['success', 'skipped'].includes(status)) return undefined
  return ['created', 'pending', 'running', 'manual'].includes(status) ? 'ci_still_running' : 'ci_must_pass'
}

/** The forge's detailed_merge_status (docs: merge requests API, merge status). */
export const mergeStatus = (request: MergeRequest): string => {
  const { settings } = request.project
  if (request.state !== 'opened') return 'not_open'
  if (!mergeResult(request)) return 'need_rebase'
  if (hasConflicts(request)) return 'conflict'
  if (isDraft(request.title)) return 'draft_status'
  if (settings.threadsMustBeResolved && !threadsResolved(request)) return 'discussions_not_resolved'
  if (!approvalStanding(request).approved) return 'not_approved'
  return ciStatus(request) ?? 'mergeable'
}

const WAITABLE = ['ci_still_running', 'not_approved', 'draft_status', 'discussions_not_resolved']

const dropBranch = (project: Project, name: string) => {
  const branch = project.branches.get(name)
  if (branch && !branch.protected && name !== project.defaultBranch) project.branches.delete(name)
}

/** Merges now. It answers 422 if the attempt itself fails. */
export const merge = (state: ForgeState, request: MergeRequest, user: User, params: MergeParams) => {
  const result = mergeResult(request)
  if (!result || result.conflicts.length > 0) throw refuse(422, 'Branch cannot be merged')
  const { project } = request
  const { tip, head, files, modes } = result
  let side = head
  if (params.squash) {
    const message = params.squashMessage ?? request.title
    side = addCommit(state, project, { message, author: request.author, parents: [tip.sha], files, modes })
    request.squashCommitSha = side.sha
  }
  const message =
    params.mergeMessage ??
    `Merge branch '${request.sourceBranch}' into '${request.targetBranch}'\n\n${request.title}`
  const commit = addCommit(state, project, {
    message,
    author: user,
    parents: [tip.sha, side.sha],
    files,
    modes
  })
  refreshVersions(state, request)
  project.branches.get(request.targetBranch)!.sha = commit.sha
  const removeSource = params.removeSource ?? request.forceRemoveSourceBranch ?? false
  if (removeSource) dropBranch(request.sourceProject, request.sourceBranch)
  Object.assign(request, {
    state: 'merged',
    mergeUser: user,
    mergedAt: state.time(),
    updatedAt: state.time(),
    mergeCommitSha: commit.sha,
    squash: params.squash,
    shouldRemoveSourceBranch: params.removeSource,
    autoMerge: null
  })
  for (const issue of closedBy(request, user))
    setClosed(state, issue, user, true, `closed via merge request !${request.iid}`)
}

/**
 * Decides a merge call. With an auto flag, the merge is scheduled if a check is still open, done at once if none is,
 * and refused (405) if waiting cannot help (lib/api/merge_requests.rb).
 */
export const mergeOrSchedule = (
  state: ForgeState,
  request: MergeRequest,
  user: User,
  options: { auto: boolean; params: MergeParams }
) => {
  const status = mergeStatus(request)
  const pipeline = headPipeline(request)
  const running = pipeline !== undefined && ['created', 'pending', 'running'].includes(statusOf(pipeline))
  const waits = status === 'mergeable' ? running : WAITABLE.includes(status)
  if (options.auto && waits) {
    request.autoMerge = { user, params: options.params }
    request.updatedAt = state.time()
  } else if (status === 'mergeable') merge(state, request, user, options.params)
  else throw refuse(405, '405 Method Not Allowed')
}

/** Carries out scheduled merges whose checks have passed. */
export const settleAutoMerges = (state: ForgeState) => {
  for (const request of state.projects.flatMap(project => project.mergeRequests)) {
    const plan = request.autoMerge
    if (!plan || mergeStatus(request) !== 'mergeable') continue
    const pipeline = headPipeline(request)
    if (!pipeline || ['success', 'manual', 'skipped'].includes(statusOf(pipeline)))
      merge(state, request, plan.user, plan.params)
  }
}
