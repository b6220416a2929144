import { levelIn } from '../access.ts'
import { commitsBetween } from '../model/history.ts'
import {
  changesOf,
  hasConflicts,
  headOf,
  headPipeline,
  isDraft,
  mergeStatus,
  threadsResolved
} from '../model/merge-requests.ts'
import { fullPath } from '../model/places.ts'
import { groupsAbove, humanTime } from '../model/plans.ts'
import { mergeLevel } from '../model/protection.ts'
import type { ForgeState } from '../state.ts'
import type { Commit, MergeRequest, Noteable, User, Version } from '../types.ts'
import { presentPipeline, presentPipelineBasic } from './pipeline.ts'
import { presentLabel, presentMilestone } from './plan.ts'
import { presentCommit, presentDiff, projectUrl } from './project.ts'
import { presentUser, presentUserOrNull } from './user.ts'

/** Estimated and spent time. */
export const timeStats = ({ timeEstimate, timeSpent }: Noteable) => ({
  time_estimate: timeEstimate,
  total_time_spent: timeSpent,
  human_time_estimate: humanTime(timeEstimate),
  human_total_time_spent: humanTime(timeSpent)
})

/** The counts of a description's task list. */
export const taskStatus = (description: string | null) => ({
  count: description?.match(/^\s*[-*] \[[ x]\]/gim)?.length ?? 0,
  completed_count: description?.match(/^\s*[-*] \[x\]/gim)?.length ?? 0
})

export const referencesOf = (owner: Noteable) => {
  const short = `${owner.kind === 'Issue' ? '#' : '!'}${owner.iid}`
  return { short, relative: short, full: `${fullPath(owner.project)}${short}` }
}

export const votes = (owner: Noteable, name: string) =>
  owner.awards.filter(award => award.name === name).length

export const userNotes = (owner: Noteable) =>
  owner.discussions.flatMap(({ notes }) => notes).filter(note => !note.system).length

/** Labels as names, or in full with with_labels_details. */
export const labelsOf = (owner: Noteable, details: boolean) =>
  details
    ? owner.labels.flatMap(name => {
        const places = [owner.project, ...groupsAbove(owner.project)]
        const label = places.flatMap(({ labels }) => labels).find(candidate => candidate.name === name)
        return label ? [presentLabel(label)] : []
      })
    : owner.labels

/** A merge request in lists (MergeRequestBasic). `fresh` means right after creation, before the asynchronous check. */
export const presentMergeRequestBasic = (
  state: ForgeState,
  request: MergeRequest,
  options: { labelDetails?: boolean; fresh?: boolean } = {}
) => {
  const { project, author, assignees } = request
  const status = options.fresh ? 'preparing' : mergeStatus(request)
  const conflicts = options.fresh ? false : hasConflicts(request)
  const mergeStatusOld = options.fresh ? 'checking' : conflicts ? 'cannot_be_merged' : 'can_be_merged'
  return {
    id: request.id,
    iid: request.iid,
    project_id: project.id,
    title: request.title,
    description: request.description,
    state: request.state,
    created_at: request.createdAt,
    updated_at: request.updatedAt,
    merged_by: presentUserOrNull(state, request.mergeUser),
    merge_user: presentUserOrNull(state, request.mergeUser ?? request.autoMerge?.user ?? null),
    merged_at: request.mergedAt,
    closed_by: presentUserOrNull(state, request.closedBy),
    closed_at: request.closedAt,
    target_branch: request.targetBranch,
    source_branch: request.sourceBranch,
    user_notes_count: userNotes(request),
    upvotes: votes(request, 'thumbsup'),
    downvotes: votes(request, 'thumbsdown'),
    author: presentUser(state, author),
    assignees: assignees.map(user => presentUser(state, user)),
    assignee: presentUserOrNull(state, assignees[0] ?? null),
    reviewers: request.reviewers.map(user => presentUser(state, user)),
    source_project_id: request.sourceProject.id,
    target_project_id: project.id,
    labels: labelsOf(request, options.labelDetails ?? false),
    draft: isDraft(request.title),
    imported: false,
    imported_from: 'none',
    work_in_progress: isDraft(request.title),
    milestone: presentMilestone(state, project, request.milestone),
    merge_when_pipeline_succeeds: request.autoMerge !== null,
    merge_status: mergeStatusOld,
    detailed_merge_status: status,
    merge_after: null,
    sha: headOf(request),
    merge_commit_sha: request.mergeCommitSha,
    squash_commit_sha: request.squashCommitSha,
    discussion_locked: request.discussionLocked,
    should_remove_source_branch: request.shouldRemoveSourceBranch,
    force_remove_source_branch: request.forceRemoveSourceBranch,
    prepared_at: options.fresh ? null : request.createdAt,
    allow_collaboration: request.allowCollaboration,
    allow_maintainer_to_push: request.allowCollaboration,
    reference: `!${request.iid}`,
    references: referencesOf(request),
    web_url: `${projectUrl(state, project)}/-/merge_requests/${request.iid}`,
    time_stats: timeStats(request),
    squash: request.squash,
    squash_on_merge: request.squash,
    task_completion_status: taskStatus(request.description),
    has_conflicts: conflicts,
    blocking_discussions_resolved: threadsResolved(request),
    approvals_before_merge: null
  }
}

/** A complete merge request. diff_refs is null right after creation (docs: merge requests API). */
export const presentMergeRequest = (
  state: ForgeState,
  request: MergeRequest,
  viewer: User,
  options: { fresh?: boolean; diverged?: boolean; rebase?: boolean; html?: boolean } = {}
) => {
  const { project } = request
  const version = request.versions.at(-1)!
  const pipeline = headPipeline(request)
  const target = project.branches.get(request.targetBranch)?.sha ?? version.start
  return {
    ...presentMergeRequestBasic(state, request, options),
    ...(options.html
      ? { title_html: `<p>${request.title}</p>`, description_html: `<p>${request.description ?? ''}</p>` }
      : {}),
    subscribed: viewer === request.author,
    changes_count: options.fresh ? null : String(changesOf(request).length),
    latest_build_started_at: pipeline ? new Date(pipeline.createdAt).toISOString() : null,
    latest_build_finished_at: null,
    first_deployed_to_production_at: null,
    pipeline: pipeline ? presentPipelineBasic(state, pipeline) : null,
    head_pipeline: pipeline ? presentPipeline(state, pipeline) : null,
    diff_refs: options.fresh
      ? null
      : { base_sha: version.base, head_sha: version.head, start_sha: version.start },
    merge_error: request.mergeError,
    ...(options.rebase ? { rebase_in_progress: request.rebase !== null } : {}),
    ...(options.diverged
      ? { diverged_commits_count: commitsBetween(project, version.head, target).length }
      : {}),
    first_contribution: false,
    user: { can_merge: levelIn(viewer, project) >= mergeLevel(project, request.targetBranch) }
  }
}

/** GET …/changes: the complete record, its file diffs and whether they overflow. */
export const presentChanges = (state: ForgeState, request: MergeRequest, viewer: User, unidiff: boolean) => ({
  ...presentMergeRequest(state, request, viewer),
  changes: changesOf(request).map(change => presentDiff(change, unidiff)),
  overflow: false
})

export const presentVersion = (state: ForgeState, request: MergeRequest, version: Version) => ({
  id: version.id,
  head_commit_sha: version.head,
  base_commit_sha: version.base,
  start_commit_sha: version.start,
  created_at: version.createdAt,
  merge_request_id: request.id,
  state: 'collected',
  real_size: String(changesOf(request, version).length),
  patch_id_sha: state.hash('patch', version.base, version.head)
})

export const presentVersionFull = (
  state: ForgeState,
  request: MergeRequest,
  version: Version,
  unidiff: boolean
) => ({
  ...presentVersion(state, request, version),
  commits: commitsOf(request, version).map(commit => presentCommit(state, request.project, commit)),
  diffs: changesOf(request, version).map(change => presentDiff(change, unidiff))
})

/** Commits of a version, newest first. */
export const commitsOf = (request: MergeRequest, version: Version = request.versions.at(-1)!): Commit[] =>
  commitsBetween(request.project, version.base, version.head)
