import type { ForgeState } from '../state.ts'
import type { MergeRequest, User } from '../types.ts'
import { addCommit, fetchCommits, mergeBase, mergeFiles } from './history.ts'
import { headOf, refreshVersions } from './merge-requests.ts'
import { startPipeline } from './pipelines.ts'

/** A worker of the forge rebases after the answer. It takes this many milliseconds. */
const TAKES_MS = 30

export const startRebase = (state: ForgeState, request: MergeRequest, user: User, skipCi: boolean) => {
  request.rebase = { until: state.now() + TAKES_MS, user, skipCi }
  request.mergeError = null
}

/** Carries out the rebases that are due: puts the branch's changes on top of its target. */
export const settleRebases = (state: ForgeState) => {
  for (const request of state.projects.flatMap(({ mergeRequests }) => mergeRequests))
    if (request.rebase !== null && state.now() >= request.rebase.until) rebase(state, request, request.rebase)
}

type Rebase = NonNullable<MergeRequest['rebase']>

const rebase = (state: ForgeState, request: MergeRequest, { user, skipCi }: Rebase) => {
  const { project } = request
  request.rebase = null
  const tip = project.commits.get(project.branches.get(request.targetBranch)?.sha ?? '')
  const head = project.commits.get(headOf(request))
  const branch = request.sourceProject.branches.get(request.sourceBranch)
  if (!tip || !head || !branch) return
  const base = mergeBase(project, tip.sha, head.sha)
  if (base === tip) return
  const { conflicts, ...merged } = mergeFiles(base, tip, head)
  if (conflicts.length > 0) {
    request.mergeError = 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.'
    return
  }
  const { message, author } = head
  branch.sha = addCommit(state, project, { message, author, parents: [tip.sha], ...merged }).sha
  fetchCommits(project, request.sourceProject, branch.sha)
  refreshVersions(state, request)
  request.updatedAt = state.time()
  if (skipCi || project.ci.length === 0) return
  startPipeline(state, project, { ref: branch.name, sha: branch.sha, user, source: 'push' })
}
