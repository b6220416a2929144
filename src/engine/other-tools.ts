import { nearest } from '../nearest.ts'

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
  add_reviewer: 'update_merge_request',
  add_reviewers: 'update_merge_request',
  approve: 'approve_merge_request',
  archive_project: 'update_project',
  assign_issue: 'update_issue',
  cancel_job: 'cancel_pipeline_job',
  close_issue: 'update_issue',
  close_merge_request: 'update_merge_request',
  compare: 'get_branch_diffs',
  compare_branches: 'get_branch_diffs',
  confirm_vulnerability: 'change_vulnerability_state',
  create_comment: 'create_note',
  create_epic: 'create_work_item',
  create_file: 'commit_files',
  create_issue_comment: 'create_issue_note',
  create_merge_request_comment: 'create_merge_request_note',
  create_or_update_file: 'commit_files',
  create_pipeline_schedule_variable: 'update_pipeline_schedule',
  create_repository: 'create_project',
  create_variable: 'set_variable',
  delete_file: 'commit_files',
  delete_job_artifacts: 'erase_job',
  delete_pipeline_schedule_variable: 'update_pipeline_schedule',
  dismiss_vulnerability: 'change_vulnerability_state',
  download_attachment: 'get_attachment',
  edit_file: 'commit_files',
  edit_milestone: 'update_milestone',
  erase_pipeline_job: 'erase_job',
  fork_repository: 'fork_project',
  get_authenticated_user: 'get_current_user',
  get_ci_config: 'lint_ci',
  get_diff: 'get_merge_request_diffs',
  get_epic: 'get_work_item',
  get_events: 'list_events',
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
  get_members: 'list_members',
  get_merge_request_changes: 'get_merge_request_diffs',
  get_merge_request_diff: 'get_merge_request_diffs',
  get_merge_request_discussion: 'mr_discussions',
  get_merge_request_discussions: 'mr_discussions',
  get_milestone: 'list_milestones',
  get_milestone_issue: 'list_issues',
  get_milestone_merge_requests: 'list_merge_requests',
  get_namespace: 'get_group',
  get_pipeline_job_log: 'get_pipeline_job_output',
  get_pipeline_job_logs: 'get_pipeline_job_output',
  get_pipeline_job_trace: 'get_pipeline_job_output',
  get_pipeline_logs: 'get_pipeline_job_output',
  get_raw_file: 'get_file_contents',
  get_repository: 'get_project',
  get_tree: 'get_repository_tree',
  get_users: 'find_users',
  get_variable: 'list_variables',
  get_wiki: 'get_wiki_page',
  list_directory: 'get_repository_tree',
  list_epics: 'list_work_items',
  list_files: 'get_repository_tree',
  list_issue_comments: 'list_issue_discussions',
  list_issue_notes: 'list_issue_discussions',
  list_jobs: 'list_pipeline_jobs',
  list_merge_request_changes: 'get_merge_request_diffs',
  list_merge_request_discussions: 'mr_discussions',
  list_merge_request_notes: 'get_merge_request_notes',
  list_namespaces: 'list_groups',
  list_repositories: 'list_projects',
  list_repository_tree: 'get_repository_tree',
  list_vars: 'list_variables',
  log_time: 'add_spent_time',
  merge: 'merge_merge_request',
  move_work_item: 'move_issue',
  play_job: 'play_pipeline_job',
  push_files: 'commit_files',
  read_file: 'get_file_contents',
  read_wiki: 'get_wiki_page',
  read_wiki_page: 'get_wiki_page',
  reopen_issue: 'update_issue',
  reply_to_discussion: 'create_merge_request_discussion_note',
  reply_to_thread: 'create_merge_request_discussion_note',
  request_changes: 'submit_review',
  resolve_conflicts: 'get_merge_request_conflicts',
  resolve_merge_request_conflicts: 'get_merge_request_conflicts',
  resolve_vulnerability: 'change_vulnerability_state',
  retry_job: 'retry_pipeline_job',
  revert_merge_request: 'revert_commit',
  revert_vulnerability_to_detected: 'change_vulnerability_state',
  run_pipeline: 'create_pipeline',
  search_issues: 'list_issues',
  search_merge_requests: 'list_merge_requests',
  search_projects: 'list_projects',
  search_repositories: 'list_projects',
  search_users: 'find_users',
  triage_pipeline_failure: 'diagnose_pipeline',
  trigger_pipeline: 'create_pipeline',
  unarchive_project: 'update_project',
  update_default_branch: 'update_project',
  update_epic: 'update_work_item',
  update_file: 'commit_files',
  update_member: 'set_member',
  update_pipeline_schedule_variable: 'update_pipeline_schedule',
  update_variable: 'set_variable',
  upload_file: 'upload_attachment',
  upload_markdown: 'upload_attachment',
  validate_ci_lint: 'lint_ci',
  verify_namespace: 'get_group',
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
    const left = words.slice(from)
    for (const those of [left, left.filter(word => !places.has(word))]) {
      const ours = those.join('_')
      const meant = usable.has(ours) ? ours : byName.get(ours)
      if (meant !== undefined && usable.has(meant)) return meant
    }
  }
  return undefined
}

/** Elsewhere there is a tool for each of the two: here one takes project_id or group_id. */
const places = new Set(['group', 'project'])

const readingVerbs = new Set(['get', 'list', 'find', 'search'])

/**
 * Whether a tool of a name that is near may be what was meant. Two verbs of tools are no misspelling of each other: who
 * wants to delete something is not told to get it, nor who wants to erase it to play it.
 */
function mayBeMeant(name: string, near: string, usable: ReadonlySet<string>): boolean {
  const [given = '', other = ''] = [name, near].map(text => wordsOf(text)[0])
  if (given === other || (readingVerbs.has(given) && readingVerbs.has(other))) return true
  return ![...usable].some(tool => tool.startsWith(`${given}_`))
}

/** The tool that was meant by a name that none has: another name for it, or its own misspelt. */
export function toolLike(name: string, usable: readonly string[]): string | undefined {
  const names = new Set(usable)
  const meant = toolMeant(name, names)
  if (meant !== undefined) return meant
  const near = nearest(name, usable)
  return near !== undefined && mayBeMeant(name, near, names) ? near : undefined
}
