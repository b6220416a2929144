import { LEVEL } from '../access.ts'
import type { FileChange } from '../model/diff.ts'
import { unified } from '../model/diff.ts'
import { ancestry } from '../model/history.ts'
import { fullPath, groupPath } from '../model/places.ts'
import { mergeLevel, pushLevel } from '../model/protection.ts'
import type { ForgeState } from '../state.ts'
import type { Branch, Commit, Group, Project } from '../types.ts'

/** Browser address of a project. */
export const projectUrl = (state: ForgeState, project: Project) => `${state.url}/${fullPath(project)}`

/** A project inside other records. */
export const presentProjectIdentity = (project: Project) => ({
  id: project.id,
  description: project.description,
  name: project.name,
  name_with_namespace: `${project.group.name} / ${project.name}`,
  path: project.path,
  path_with_namespace: fullPath(project),
  created_at: project.createdAt
})

/** Browser address of a group. */
export const groupUrl = (state: ForgeState, group: Group) => `${state.url}/groups/${groupPath(group)}`

export const presentGroup = (state: ForgeState, group: Group) => ({
  id: group.id,
  web_url: groupUrl(state, group),
  name: group.name,
  path: group.path,
  description: group.description,
  visibility: group.visibility,
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  project_creation_level: 'developer',
  lfs_enabled: true,
  avatar_url: null,
  full_name: group.name,
  full_path: groupPath(group),
  created_at: '2025-01-08T09:00:00.000Z',
  parent_id: group.parent?.id ?? null,
  archived: false,
  subgroup_creation_level: 'maintainer',
  request_access_enabled: true,
  default_branch: null,
  shared_with_groups: [],
  runners_token: 'GR1348941sandbox-group-runner',
  prevent_sharing_groups_outside_hierarchy: false,
  enabled_git_access_protocol: 'all'
})

export const presentCommit = (state: ForgeState, project: Project, commit: Commit) => ({
  id: commit.sha,
  short_id: commit.sha.slice(0, 8),
  created_at: commit.createdAt,
  parent_ids: commit.parents,
  title: commit.message.split('\n')[0],
  message: commit.message,
  author_name: commit.written?.name ?? commit.author.name,
  author_email: commit.written?.email ?? `${commit.author.username}@acme.example`,
  authored_date: commit.createdAt,
  committer_name: commit.author.name,
  committer_email: `${commit.author.username}@acme.example`,
  committed_date: commit.createdAt,
  trailers: {},
  extended_trailers: {},
  web_url: `${projectUrl(state, project)}/-/commit/${commit.sha}`
})

export const presentBranch = (state: ForgeState, project: Project, branch: Branch, canPush: boolean) => {
  const tip = project.branches.get(project.defaultBranch)?.sha
  const merged = branch.name !== project.defaultBranch && tip !== undefined
  return {
    name: branch.name,
    commit: presentCommit(state, project, project.commits.get(branch.sha)!),
    merged: merged && ancestry(project, tip).some(commit => commit.sha === branch.sha),
    protected: branch.protected,
    developers_can_push: branch.protected && pushLevel(project, branch.name) <= LEVEL.developer,
    developers_can_merge: branch.protected && mergeLevel(project, branch.name) <= LEVEL.developer,
    can_push: canPush,
    default: branch.name === project.defaultBranch,
    web_url: `${projectUrl(state, project)}/-/tree/${branch.name}`
  }
}

/** One entry of a diff. `withHeader` adds the two file lines that `unidiff=true` asks for (16.5+). */
export const presentDiff = (change: FileChange, withHeader: boolean) => {
  const body = unified(change.lines)
  const before = change.kind === 'new' ? '/dev/null' : `a/${change.oldPath}`
  const after = change.kind === 'deleted' ? '/dev/null' : `b/${change.newPath}`
  return {
    diff: withHeader && body ? `--- ${before}\n+++ ${after}\n${body}` : body,
    collapsed: false,
    too_large: false,
    new_path: change.newPath,
    old_path: change.oldPath,
    a_mode: change.modes[0],
    b_mode: change.modes[1],
    new_file: change.kind === 'new',
    renamed_file: change.kind === 'renamed',
    deleted_file: change.kind === 'deleted',
    generated_file: false
  }
}
