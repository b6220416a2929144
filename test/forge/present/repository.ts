import type { ForgeState } from '../state.ts'
import type { CommitStatus, Project, Protection, Tag } from '../types.ts'
import { presentCommit } from './project.ts'
import { presentUser } from './user.ts'

const presentTagRelease = (project: Project, name: string) => {
  const release = project.releases.find(({ tag }) => tag === name)
  return release ? { tag_name: release.tag, description: release.description } : null
}

export const presentTag = (state: ForgeState, project: Project, tag: Tag) => ({
  name: tag.name,
  message: tag.message ?? '',
  target: tag.target,
  commit: presentCommit(state, project, project.commits.get(tag.sha)!),
  release: presentTagRelease(project, tag.name),
  protected: false,
  created_at: tag.createdAt
})

const LEVELS: Record<number, string> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Admins'
}

const presentLevel = (id: number, level: number) => ({
  id,
  access_level: level,
  access_level_description: LEVELS[level] ?? 'Role',
  deploy_key_id: null,
  user_id: null,
  group_id: null
})

export const presentProtection = ({ id, name, push, merge, unprotect, allowForcePush }: Protection) => ({
  id,
  name,
  push_access_levels: [presentLevel(id * 10, push)],
  merge_access_levels: [presentLevel(id * 10 + 1, merge)],
  unprotect_access_levels: unprotect === null ? [] : [presentLevel(id * 10 + 2, unprotect)],
  allow_force_push: allowForcePush,
  code_owner_approval_required: false,
  inherited: false
})

export const presentStatus = (state: ForgeState, status: CommitStatus) => ({
  id: status.id,
  sha: status.sha,
  ref: status.ref,
  status: status.state,
  name: status.name,
  target_url: status.targetUrl,
  description: status.description,
  created_at: status.createdAt,
  started_at: null,
  finished_at: ['success', 'failed', 'canceled'].includes(status.state) ? status.createdAt : null,
  allow_failure: false,
  coverage: status.coverage,
  pipeline_id: null,
  author: presentUser(state, status.author)
})
