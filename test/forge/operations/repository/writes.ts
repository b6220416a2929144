import { LEVEL, levelIn, lookupProject, projectOf } from '../../access.ts'
import {
  bodyText,
  type Call,
  created,
  ForgeError,
  forbidden,
  noContent,
  notFound,
  type Operations,
  ok,
  refuse
} from '../../http.ts'
import { type CommitAction, change } from '../../model/commit-actions.ts'
import { changesBetween } from '../../model/diff.ts'
import { addCommit, mergeFiles, resolveRef } from '../../model/history.ts'
import { statsOf } from '../../model/log.ts'
import { startPipeline } from '../../model/pipelines.ts'
import { pushLevel, settleProtection } from '../../model/protection.ts'
import { presentBranch, presentCommit } from '../../present/project.ts'
import type { Commit, Project, Snapshot } from '../../types.ts'
import { commitOf } from './code.ts'

/** Checks that the caller may push: a developer may, on a protected branch those whom its rules name. */
const checkPush = (call: Call, project: Project, branch: string) => {
  if (levelIn(call.user, project) < pushLevel(project, branch))
    throw forbidden('You are not allowed to push into this branch')
}

const setTip = ({ state, user }: Call, project: Project, name: string, sha: string) => {
  project.branches.set(name, { name, sha, protected: false })
  settleProtection(project)
  if (project.settings.pipelinesOnPush)
    startPipeline(state, project, { ref: name, sha, user, source: 'push' })
}

/** The parent of a new commit; undefined for the first commit of a repository. */
const startOf = (call: Call, project: Project, branch: string): Commit | undefined => {
  const [startBranch, startSha, startProject] = ['start_branch', 'start_sha', 'start_project'].map(name =>
    bodyText(call, name)
  )
  const tip = project.branches.get(branch)
  if (startBranch === undefined && startSha === undefined) {
    if (tip) return project.commits.get(tip.sha)
    if (project.branches.size === 0) return undefined
    throw refuse(400, 'You can only create or edit files when you are on a branch')
  }
  if (tip && startBranch !== branch)
    throw refuse(
      400,
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`
    )
  const from = startProject ? lookupProject(call, startProject) : project
  const start = startBranch ? from.branches.get(startBranch)?.sha : resolveRef(from, startSha ?? '')?.sha
  const commit = start === undefined ? undefined : from.commits.get(start)
  if (!commit) throw refuse(400, 'Invalid start branch or SHA')
  project.commits.set(commit.sha, commit)
  return commit
}

const commitFiles = (call: Call) => {
  // Grape's words for a parameter that must not be blank.
  const message = bodyText(call, 'commit_message') ?? ''
  if (message.trim() === '') throw new ForgeError(400, { error: 'commit_message is empty' })
  const project = projectOf(call, LEVEL.developer)
  const branch = bodyText(call, 'branch') ?? ''
  checkPush(call, project, branch)
  const parent = startOf(call, project, branch)
  const { files, modes } = change(project, parent, call.body.actions as CommitAction[])
  const [name, email] = [bodyText(call, 'author_name'), bodyText(call, 'author_email')]
  const commit = addCommit(call.state, project, {
    message,
    author: call.user,
    parents: parent ? [parent.sha] : [],
    files,
    modes,
    ...(name && email ? { written: { name, email } } : {})
  })
  setTip(call, project, branch, commit.sha)
  const stats = call.body.stats === false ? {} : { stats: statsOf(project, commit) }
  return created({ ...presentCommit(call.state, project, commit), ...stats, project_id: project.id })
}

const wordsFor = { cherry_pick: 'cherry-pick', revert: 'revert' } as const

/** Applies a commit's change to a branch, or reverts it there. */
const replay = (call: Call, kind: keyof typeof wordsFor) => {
  const project = projectOf(call, LEVEL.developer)
  const commit = commitOf(project, call.params.sha ?? '')
  const branch = bodyText(call, 'branch') ?? ''
  const tip = project.commits.get(project.branches.get(branch)?.sha ?? '')
  if (!tip) throw notFound('Branch')
  checkPush(call, project, branch)
  const before: Snapshot = project.commits.get(commit.parents[0] ?? '') ?? { files: {} }
  const [base, theirs] = kind === 'revert' ? [commit, before] : [before, commit]
  const { conflicts, ...merged } = mergeFiles(base, tip, theirs)
  const failed = (code: string) =>
    refuseWith(
      code,
      `Sorry, we cannot ${wordsFor[kind]} this commit automatically. This commit may already have been ${wordsFor[kind]}ed, or a more recent commit may have updated some of its content.`
    )
  if (conflicts.length > 0) throw failed('conflict')
  if (changesBetween(tip, merged).length === 0) throw failed('empty')
  if (call.body.dry_run === true) return ok({ dry_run: 'success' })
  const title = commit.message.split('\n')[0]
  const message =
    kind === 'revert'
      ? `Revert "${title}"\n\nThis reverts commit ${commit.sha}`
      : (bodyText(call, 'message') ?? `${commit.message}\n\n(cherry picked from commit ${commit.sha})`)
  const made = addCommit(call.state, project, { message, author: call.user, parents: [tip.sha], ...merged })
  setTip(call, project, branch, made.sha)
  return created(presentCommit(call.state, project, made))
}

const refuseWith = (code: string, message: string) => {
  const error = refuse(400, message)
  Object.assign(error.body as object, { error_code: code })
  return error
}

const createBranch = (call: Call) => {
  const project = projectOf(call, LEVEL.developer)
  const [name, ref] = [bodyText(call, 'branch') ?? '', bodyText(call, 'ref') ?? '']
  if (/^(?:-|refs\/(?:heads|tags|remotes)\/)|[\s~^:?*[\\]|\.\.|\/$|\.lock$/.test(name))
    throw refuse(400, `Branch name is invalid`)
  if (project.branches.has(name)) throw refuse(400, 'Branch already exists')
  const commit = resolveRef(project, ref)
  if (!commit) throw refuse(400, `Invalid reference name: ${ref}`)
  checkPush(call, project, name)
  setTip(call, project, name, commit.sha)
  return created(presentBranch(call.state, project, project.branches.get(name)!, true))
}

const deleteBranch = (call: Call) => {
  const project = projectOf(call, LEVEL.developer)
  const branch = project.branches.get(call.params.branch ?? '')
  if (!branch) throw notFound('Branch')
  if (branch.name === project.defaultBranch) throw refuse(405, 'Cannot remove HEAD branch')
  if (branch.protected) throw refuse(405, 'Protected branch cannot be deleted')
  project.branches.delete(branch.name)
  return noContent()
}

export const writeOperations: Operations = {
  create_commit: commitFiles,
  cherry_pick_commit: call => replay(call, 'cherry_pick'),
  revert_commit: call => replay(call, 'revert'),
  create_branch: createBranch,
  delete_branch: deleteBranch
}
