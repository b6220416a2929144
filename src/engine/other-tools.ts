/*
 * What models call a tool by habit of other forges and other servers, by the tool that does the work here. A call by
 * such a name is refused with the right one, as the arguments are others, too.
 */

const otherTools: Readonly<Record<string, string>> = {
  accept_merge_request: 'merge_merge_request',
  add_comment: 'create_note',
  add_issue_comment: 'create_issue_note',
  add_issue_labels: 'update_issue',
  add_label: 'update_issue',
  add_labels: 'update_issue',
  add_member: 'set_member',
  approve: 'approve_merge_request',
  archive_project: 'update_project',
  assign_issue: 'update_issue',
  close_issue: 'update_issue',
  close_merge_request: 'update_merge_request',
  compare: 'get_branch_diffs',
  compare_branches: 'get_branch_diffs',
  create_comment: 'create_note',
  create_epic: 'create_work_item',
  create_file: 'commit_files',
  create_issue_comment: 'create_issue_note',
  create_merge_request_comment: 'create_merge_request_note',
  create_or_update_file: 'commit_files',
  create_repository: 'create_project',
  delete_file: 'commit_files',
  delete_job_artifacts: 'erase_job',
  edit_file: 'commit_files',
  fork_repository: 'fork_project',
  get_authenticated_user: 'get_current_user',
  get_ci_config: 'lint_ci',
  get_diff: 'get_merge_request_diffs',
  get_epic: 'get_work_item',
  get_file: 'get_file_contents',
  get_issue_comments: 'list_issue_discussions',
  get_issue_notes: 'list_issue_discussions',
  get_job: 'get_pipeline_job',
  get_job_log: 'get_pipeline_job_output',
  get_job_logs: 'get_pipeline_job_output',
  get_job_trace: 'get_pipeline_job_output',
  get_label: 'list_labels',
  get_latest_pipeline: 'list_pipelines',
  get_logs: 'get_pipeline_job_output',
  get_me: 'get_current_user',
  get_merge_request_changes: 'get_merge_request_diffs',
  get_merge_request_discussions: 'mr_discussions',
  get_milestone: 'list_milestones',
  get_pipeline_logs: 'get_pipeline_job_output',
  get_project_members: 'list_members',
  get_raw_file: 'get_file_contents',
  get_repository: 'get_project',
  get_tree: 'get_repository_tree',
  get_users: 'find_users',
  get_variable: 'list_variables',
  list_directory: 'get_repository_tree',
  list_epics: 'list_work_items',
  list_files: 'get_repository_tree',
  list_group_members: 'list_members',
  list_group_projects: 'list_projects',
  list_issue_comments: 'list_issue_discussions',
  list_issue_notes: 'list_issue_discussions',
  list_jobs: 'list_pipeline_jobs',
  list_merge_request_changes: 'get_merge_request_diffs',
  list_merge_request_discussions: 'mr_discussions',
  list_merge_request_notes: 'get_merge_request_notes',
  list_namespaces: 'list_groups',
  list_project_jobs: 'list_pipeline_jobs',
  list_project_members: 'list_members',
  list_repositories: 'list_projects',
  list_repository_tree: 'get_repository_tree',
  list_vars: 'list_variables',
  merge: 'merge_merge_request',
  push_files: 'commit_files',
  read_file: 'get_file_contents',
  reopen_issue: 'update_issue',
  run_pipeline: 'create_pipeline',
  search_issues: 'list_issues',
  search_merge_requests: 'list_merge_requests',
  search_projects: 'list_projects',
  search_repositories: 'list_projects',
  search_users: 'find_users',
  trigger_pipeline: 'create_pipeline',
  unarchive_project: 'update_project',
  update_epic: 'update_work_item',
  update_file: 'commit_files',
  update_member: 'set_member',
  upload_file: 'upload_attachment',
  whoami: 'get_current_user'
}

const byName = new Map(Object.entries(otherTools))

/** Characters of a name that is looked at: no tool has more. */
const MAX_CHARS = 100

/** What no tool reads, as a word of a name, with the tool that comes nearest and how that does. */
const otherWays: readonly {
  readonly words: readonly string[]
  readonly tool: string
  readonly says: string
}[] = [
  {
    words: ['board', 'boards'],
    tool: 'list_issues',
    says: 'No tool reads boards: a list of a board is the issues with its label, which list_issues gives by labels.'
  }
]

const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, MAX_CHARS)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replaceAll(/(?<![a-z])(?:pull_?request|[mp]r)(?=s?(?![a-z]))/g, 'merge_request')
    .split(/[^a-z\d]+/)

/** What to do instead of calling a tool of this name, where no tool does the same, as a sentence. */
export function otherWay(name: string, usable: ReadonlySet<string>): string | undefined {
  const given = wordsOf(name)
  return otherWays.find(({ words, tool }) => usable.has(tool) && words.some(word => given.includes(word)))
    ?.says
}

/**
 * The tool that one of this name elsewhere is: a name of a merge request is as good as another, and hosts of models put
 * the server's before it (mcp__forge__get_issue). Undefined where it is not usable, or no such name is known.
 */
export function toolMeant(name: string, usable: ReadonlySet<string>): string | undefined {
  const words = wordsOf(name)
  for (let from = 0; from < words.length; from++) {
    const ours = words.slice(from).join('_')
    const meant = usable.has(ours) ? ours : byName.get(ours)
    if (meant !== undefined && usable.has(meant)) return meant
  }
  return undefined
}
