import { LEVEL, levelIn } from '../access.ts'
import { fullPath, groupPath, lineage } from '../model/places.ts'
import type { ForgeState } from '../state.ts'
import type { Group, Project, User } from '../types.ts'
import { groupUrl, presentProjectIdentity, projectUrl } from './project.ts'

/** A group or a person's own namespace, as the namespace of projects. */
export const presentNamespace = (state: ForgeState, group: Group) => ({
  id: group.id,
  name: group.name,
  path: group.path,
  kind: group.owner === null ? 'group' : 'user',
  full_path: groupPath(group),
  parent_id: group.parent?.id ?? null,
  avatar_url: null,
  web_url: group.owner === null ? groupUrl(state, group) : `${state.url}/${group.path}`
})

/** A project in lists with simple=true (BasicProjectDetails). */
export const presentProjectSimple = (state: ForgeState, project: Project) => {
  const url = projectUrl(state, project)
  return {
    ...presentProjectIdentity(project),
    description: project.description,
    created_at: project.createdAt,
    default_branch: project.branches.size > 0 ? project.defaultBranch : null,
    tag_list: project.topics,
    topics: project.topics,
    ssh_url_to_repo: `git@${new URL(state.url).host}:${fullPath(project)}.git`,
    http_url_to_repo: `${url}.git`,
    web_url: url,
    readme_url: `${url}/-/blob/${project.defaultBranch}/README.md`,
    forks_count: state.projects.filter(({ forkedFrom }) => forkedFrom === project).length,
    avatar_url: null,
    star_count: project.stars.size,
    last_activity_at: lastActivity(project),
    visibility: project.visibility,
    namespace: presentNamespace(state, project.group)
  }
}

const lastActivity = ({ createdAt, issues, mergeRequests }: Project): string =>
  [createdAt, ...[...issues, ...mergeRequests].map(({ updatedAt }) => updatedAt)].sort().at(-1)!

/** The caller's memberships: of the project, and the highest of the groups above. */
const permissions = (user: User, project: Project) => {
  const own = project.members.get(user.id)
  const above = lineage(project.group).flatMap(({ members }) => members.get(user.id)?.level ?? [])
  const access = (level: number | undefined) =>
    level === undefined ? null : { access_level: level, notification_level: 3 }
  return {
    project_access: access(own?.level),
    group_access: access(above.length > 0 ? Math.max(...above) : undefined)
  }
}

const FEATURES = ['issues', 'merge_requests', 'repository', 'builds', 'wiki', 'snippets', 'releases']

/** A single project (ProjectWithAccess). */
export const presentProject = (state: ForgeState, user: User, project: Project) => ({
  ...presentProjectSimple(state, project),
  archived: project.archived,
  empty_repo: project.branches.size === 0,
  creator_id: 1,
  import_url: null,
  import_status: project.importStatus,
  import_error: null,
  open_issues_count: project.issues.filter(({ state }) => state === 'opened').length,
  ...(project.forkedFrom && {
    forked_from_project: {
      ...presentProjectIdentity(project.forkedFrom),
      web_url: projectUrl(state, project.forkedFrom)
    }
  }),
  shared_runners_enabled: true,
  packages_enabled: true,
  emails_disabled: false,
  merge_method: project.settings.mergeMethod,
  squash_option: project.settings.squashOption,
  only_allow_merge_if_pipeline_succeeds: project.settings.pipelineMustSucceed,
  only_allow_merge_if_all_discussions_are_resolved: project.settings.threadsMustBeResolved,
  remove_source_branch_after_merge: project.settings.removeSourceBranch,
  ...Object.fromEntries(
    FEATURES.map(name => [`${name}_access_level`, project.settings.features[name] ?? 'enabled'])
  ),
  ci_config_path: project.settings.ciConfigPath,
  marked_for_deletion_on: null,
  permissions: permissions(user, project),
  // Only maintainers see the token. A tool server must not pass it on.
  ...(levelIn(user, project) >= LEVEL.maintainer && { runners_token: 'GR1348941sandbox-project-runner' })
})
