import type { Shape } from './shape.ts'
import { byItself, scopeOf, searched, type WebUrlUse, yours } from './uses.ts'

/*
 * The shapes of a forge's addresses after the project or group, and the tool for each. `{name}` is one segment: digits
 * if it is a number, hex digits if it is a secret. `{name+}` is one or more segments. A shape that ends in a number or
 * a sha may have the ending of a format (`.diff`) and be followed by a tab (`/diffs`). The first shape that matches is
 * used, so shapes that end in a fixed word come before those whose name could include that word. A tag named `v1/edit`
 * is one segment in an address, `v1%2Fedit`, as for the forge itself.
 */

/**
 * The page of a job is its log. Line numbers are not passed on, because the tool counts lines from the end of the log.
 */
const job = {
  kind: 'job',
  tool: 'get_pipeline_job',
  lines: true,
  instead: ({ start_line }) => (start_line === undefined ? undefined : 'get_pipeline_job_output'),
  use: ({ job_id }) => ({ job_id })
} satisfies Omit<Shape, 'at'>

const issue = {
  kind: 'issue',
  tool: 'get_issue',
  comment: { tool: 'list_issue_discussions', by: 'all' }
} satisfies Omit<Shape, 'at'>

const workItem = {
  tool: 'get_work_item',
  group: true,
  comment: { tool: 'list_work_item_notes', by: 'all' }
} satisfies Omit<Shape, 'at' | 'kind'>

/** A file or folder in the artifacts of a job. */
const artifacts = (below: string, tool: string, part?: string): Shape => ({
  at: `jobs/{job_id}/artifacts/${below}${part === undefined ? '' : `/{${part}+}`}`,
  kind: 'artifact',
  tool,
  ...(part !== undefined && { part })
})

/** A page after `/-/` with a list. `{view}` is the page of one entry, for which there is no tool. */
const list = (at: string, kind: string, tool: string, use?: WebUrlUse): Shape => ({
  at,
  kind,
  tool,
  group: true,
  dashed: true,
  ...(use && { use })
})

/** A page of a merge request, by its tab. */
const mergeRequest = (tab: string, tool: string): Shape => ({
  at: `merge_requests/{merge_request_iid}${tab}`,
  kind: 'merge_request',
  tool,
  comment: { tool: 'get_merge_request_note', by: 'note_id' }
})

/** All shapes, in the order in which they are tried. */
export const shapes: readonly Shape[] = [
  { at: 'issues/{issue_iid}', ...issue },
  { at: 'issues/incident/{issue_iid}', ...issue },
  {
    at: 'issues',
    kind: 'issues',
    tool: 'list_issues',
    group: true,
    use: byItself({ scope: 'all', state: 'opened' })
  },
  ...['boards/{board_id}', 'boards'].map(
    (at): Shape => ({
      at,
      kind: 'board',
      tool: 'list_issues',
      group: true,
      dashed: true,
      use: ({ board_id: _, ...given }) => ({ scope: 'all', ...given })
    })
  ),
  { at: 'work_items/{iid}', kind: 'work_item', ...workItem },
  {
    at: 'work_items',
    kind: 'work_items',
    tool: 'list_work_items',
    group: true,
    use: byItself({ state: 'opened' })
  },
  { at: 'epics/{iid}', kind: 'epic', ...workItem },
  list('epics', 'epics', 'list_work_items', byItself({ types: ['epic'], state: 'opened' })),
  {
    ...mergeRequest('/diffs', 'get_merge_request_diffs'),
    instead: ({ sha }) => (sha === undefined ? undefined : 'get_commit_diff'),
    use: ({ merge_request_iid, sha }) => (sha === undefined ? { merge_request_iid } : { sha })
  },
  mergeRequest('/commits', 'list_merge_request_commits'),
  mergeRequest('/pipelines', 'list_merge_request_pipelines'),
  mergeRequest('/conflicts', 'get_merge_request_conflicts'),
  mergeRequest('', 'get_merge_request'),
  {
    at: 'merge_requests',
    kind: 'merge_requests',
    tool: 'list_merge_requests',
    group: true,
    use: byItself({ scope: 'all', state: 'opened' })
  },
  ...['blob', 'raw', 'edit'].map(
    (page): Shape => ({
      at: `${page}/{rest+}`,
      kind: 'file',
      tool: 'get_file_contents',
      rest: 'file',
      lines: true,
      ...(page === 'edit' && { dashed: true })
    })
  ),
  { at: 'blame/{rest+}', kind: 'file', tool: 'get_file_blame', rest: 'file', lines: true },
  { at: 'tree/{rest+}', kind: 'directory', tool: 'get_repository_tree', rest: 'directory' },
  { at: 'commit/{sha}', kind: 'commit', tool: 'get_commit' },
  { at: 'commits/{rest+}', kind: 'commits', tool: 'list_commits', rest: 'directory' },
  { at: 'compare/{rest+}', kind: 'compare', tool: 'get_branch_diffs', rest: 'compare' },
  ...['/release/edit', ''].map(
    (page): Shape => ({ at: `tags/{tag_name+}${page}`, kind: 'tag', tool: 'get_tag' })
  ),
  { at: 'tags', kind: 'tags', tool: 'list_tags' },
  { at: 'releases/permalink/latest', kind: 'release', tool: 'get_release' },
  { at: 'releases/{tag_name+}/downloads/{asset+}', kind: 'release', tool: 'get_release', part: 'asset' },
  ...['/edit', '/downloads', ''].map(
    (page): Shape => ({ at: `releases/{tag_name+}${page}`, kind: 'release', tool: 'get_release' })
  ),
  { at: 'releases', kind: 'releases', tool: 'list_releases' },
  { at: 'branches/{view}', kind: 'branch', tool: 'list_branches' },
  { at: 'branches', kind: 'branch', tool: 'list_branches' },
  { at: 'pipelines/{pipeline_id}/test_report', kind: 'pipeline', tool: 'get_pipeline_test_report' },
  { at: 'pipelines/{pipeline_id}', kind: 'pipeline', tool: 'get_pipeline' },
  { at: 'pipelines', kind: 'pipelines', tool: 'list_pipelines' },
  artifacts('file', 'get_job_artifact_file', 'artifact_path'),
  artifacts('raw', 'get_job_artifact_file', 'artifact_path'),
  artifacts('browse', 'list_job_artifacts', 'path'),
  artifacts('browse', 'list_job_artifacts'),
  { at: 'jobs/{job_id}', ...job },
  { at: 'builds/{job_id}', ...job },
  { at: 'pipeline_schedules/{schedule_id}', kind: 'pipeline_schedule', tool: 'get_pipeline_schedule' },
  { at: 'pipeline_schedules', kind: 'pipeline_schedules', tool: 'list_pipeline_schedules', dashed: true },
  ...['hooks', 'hooks/{view}', 'hooks/{view}/edit'].map(at => list(at, 'webhooks', 'list_webhooks')),
  list('settings/ci_cd', 'variables', 'list_variables'),
  ...['runners', 'runners/{view}'].map(at => list(at, 'runners', 'list_runners')),
  ...['iterations', 'iterations/{view}'].map(at => list(at, 'iterations', 'list_iterations')),
  { at: 'environments/{environment_id}', kind: 'environment', tool: 'get_environment' },
  { at: 'environments', kind: 'environments', tool: 'list_environments', dashed: true },
  { at: 'deployments', kind: 'deployments', tool: 'list_deployments', dashed: true },
  {
    at: 'milestones/{milestone_iid}',
    kind: 'milestone',
    tool: 'list_milestones',
    group: true,
    use: ({ milestone_iid }) => ({ iids: [milestone_iid] })
  },
  {
    at: 'milestones',
    kind: 'milestones',
    tool: 'list_milestones',
    group: true,
    dashed: true,
    use: byItself({ state: 'active' })
  },
  ...['/edit', '/history', ''].map(
    (page): Shape => ({
      at: `wikis/{slug+}${page}`,
      kind: 'wiki_page',
      tool: 'get_wiki_page',
      group: true,
      lines: true
    })
  ),
  { at: 'wikis', kind: 'wiki_pages', tool: 'list_wiki_pages', group: true },
  {
    at: 'snippets/{snippet_id}/raw/{view}/{file_path+}',
    kind: 'snippet',
    tool: 'get_snippet',
    alone: 'too',
    lines: true,
    part: 'file_path'
  },
  { at: 'snippets/{snippet_id}', kind: 'snippet', tool: 'get_snippet', alone: 'too', lines: true },
  { at: 'snippets', kind: 'snippets', tool: 'list_snippets', alone: 'too', dashed: true },
  { at: 'packages/{package_id}', kind: 'package', tool: 'get_package' },
  list('packages', 'packages', 'list_packages'),
  { at: 'container_registry/{repository_id}', kind: 'container_registry', tool: 'list_registry_tags' },
  ...['container_registry', 'container_registries'].map(at =>
    list(at, 'container_registries', 'list_registry_repositories')
  ),
  { at: 'activity', kind: 'events', tool: 'list_events', dashed: true },
  {
    at: 'security/vulnerabilities/{vulnerability_id}',
    kind: 'vulnerability',
    tool: 'get_vulnerability',
    use: ({ vulnerability_id }) => ({ vulnerability_id })
  },
  {
    at: 'security/vulnerability_report',
    kind: 'vulnerabilities',
    tool: 'list_vulnerabilities',
    use: byItself({ state: ['detected', 'confirmed'] })
  },
  { at: 'uploads/{secret}/{filename}', kind: 'attachment', tool: 'get_attachment' },
  {
    at: 'project/{project_id}/uploads/{secret}/{filename}',
    kind: 'attachment',
    tool: 'get_attachment',
    alone: 'always',
    dashed: true
  },
  { at: 'labels', kind: 'labels', tool: 'list_labels', group: true },
  { at: 'project_members', kind: 'members', tool: 'list_members' },
  { at: 'group_members', kind: 'members', tool: 'list_members', group: true },
  { at: 'users/{username}', kind: 'user', tool: 'get_user', alone: 'always' },
  ...(
    [
      ['followers', 'list_user_followers', given => given],
      ['following', 'list_user_followers', given => ({ ...given, following: true })],
      ['activity', 'list_events', ({ username }) => ({ user: username })]
    ] satisfies [string, string, WebUrlUse][]
  ).map(
    ([page, tool, use]): Shape => ({
      at: `users/{username}/${page}`,
      kind: page === 'activity' ? 'events' : 'users',
      tool,
      alone: 'always',
      use
    })
  ),
  { at: 'dashboard/todos', kind: 'todos', tool: 'list_todos', alone: 'always' },
  { at: 'dashboard/issues', kind: 'issues', tool: 'list_issues', alone: 'always', use: yours },
  {
    at: 'dashboard/merge_requests',
    kind: 'merge_requests',
    tool: 'list_merge_requests',
    alone: 'always',
    use: yours
  },
  {
    at: 'dashboard/projects',
    kind: 'projects',
    tool: 'list_projects',
    alone: 'always',
    use: byItself({ membership: true })
  },
  { at: 'dashboard/groups', kind: 'groups', tool: 'list_groups', alone: 'always' },
  ...['explore', 'explore/projects'].map(
    (at): Shape => ({
      at,
      kind: 'projects',
      tool: 'list_projects',
      alone: 'always',
      use: byItself({ membership: false })
    })
  ),
  {
    at: 'explore/groups',
    kind: 'groups',
    tool: 'list_groups',
    alone: 'always',
    use: byItself({ all_available: true })
  },
  {
    at: 'search',
    kind: 'search',
    tool: 'search',
    alone: 'always',
    needs: 'query',
    instead: given => (scopeOf(given) === 'blobs' ? 'search_code' : undefined),
    use: searched
  }
]

/** First segments of the addresses of the forge's own pages. No group has such a name. */
export const ownWords: ReadonlySet<string> = new Set([
  ...['admin', 'api', 'dashboard', 'explore', 'help', 'import', 'oauth', 'profile', 'projects'],
  ...['search', 'snippets', 'users']
])

/** First segments after the project or group, in addresses without `/-/`. */
export const firstWords: ReadonlySet<string> = new Set(
  shapes
    .filter(({ alone, dashed }) => alone !== 'always' && dashed !== true)
    .map(({ at }) => at.split('/', 1)[0]!)
)
