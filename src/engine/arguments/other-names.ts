import { isNamespace } from '../requests/template.ts'

/** Names under which callers give the arguments as a whole, in place of `arguments`. */
export const otherNamesOfAll: ReadonlySet<string> = new Set([
  'args',
  'input',
  'inputs',
  'parameters',
  'params'
])

/*
 * Names that models use for an argument out of habit from other tools and forges. Such a name is accepted only if the
 * tool has no argument of that name, and exactly one of those that it may stand for. Arguments that are mirrored in
 * headers have no other names, because gateways enforce policy by what they read there.
 */

const otherNames: Readonly<Record<string, readonly string[]>> = {
  iid: ['merge_request_iid', 'issue_iid', 'work_item_iid'],
  work_item_iid: ['iid'],
  epic_iid: ['iid'],
  issue_iid: ['iid'],
  mr_iid: ['merge_request_iid'],
  mr_number: ['merge_request_iid'],
  pr_number: ['merge_request_iid'],
  pull_number: ['merge_request_iid'],
  issue_number: ['issue_iid', 'iid'],
  pipeline: ['pipeline_id'],
  pipeline_schedule_id: ['schedule_id'],
  webhook_id: ['hook_id'],
  run_id: ['pipeline_id'],
  job: ['job_id'],
  build_id: ['job_id'],
  assignee: ['assignee_ids', 'assignee_username'],
  assignees: ['assignee_ids', 'assignee_username'],
  assignee_usernames: ['assignee_ids', 'assignee_username'],
  reviewer: ['reviewer_ids', 'reviewer_username'],
  reviewers: ['reviewer_ids', 'reviewer_username'],
  review_requested: ['reviewer_username'],
  author: ['author_username'],
  reviewer_usernames: ['reviewer_ids'],
  author_username: ['author'],
  created_by: ['author_username', 'author'],
  merged_by: ['merge_user_username'],
  user: ['username'],
  username: ['user'],
  login: ['username', 'user'],
  access_level: ['role'],
  milestone: ['milestone_id', 'milestone_titles'],
  milestone_title: ['milestone', 'milestone_id', 'milestone_titles'],
  label: ['labels', 'add_labels'],
  label_name: ['labels', 'add_labels', 'label_names', 'label'],
  label_names: ['labels', 'add_labels'],
  labels: ['label_ids', 'label_names'],
  add_labels: ['add_label_ids'],
  remove_labels: ['remove_label_ids'],
  file: ['path', 'file_path', 'artifact_path'],
  files: ['actions', 'paths'],
  file_path: ['path', 'file_paths', 'artifact_path'],
  filepath: ['path', 'file_path', 'file_paths', 'artifact_path'],
  artifact_path: ['path'],
  path: ['file_path', 'artifact_path', 'file_paths', 'paths'],
  new_path: ['path'],
  paths: ['file_paths'],
  file_paths: ['paths'],
  branch: ['branch_name', 'source_branch', 'ref'],
  branch_name: ['branch', 'source_branch'],
  head: ['source_branch', 'to'],
  head_branch: ['source_branch'],
  base_branch: ['target_branch', 'start_branch'],
  from_branch: ['ref', 'start_branch'],
  base: ['target_branch', 'from'],
  source: ['source_branch', 'to'],
  target: ['target_branch', 'from', 'ref'],
  remove_source_branch: ['should_remove_source_branch'],
  should_remove_source_branch: ['remove_source_branch'],
  delete_source_branch: ['remove_source_branch', 'should_remove_source_branch'],
  delete_branch: ['remove_source_branch', 'should_remove_source_branch'],
  thread_id: ['discussion_id'],
  comment_id: ['note_id'],
  reaction_id: ['award_id'],
  search: ['query'],
  query: ['search'],
  q: ['search', 'query'],
  keyword: ['search', 'query'],
  term: ['search', 'query'],
  search_term: ['search', 'query'],
  message: ['commit_message', 'body'],
  comment: ['body', 'note'],
  note: ['body', 'comment'],
  text: ['body', 'content', 'note', 'comment'],
  content: ['body'],
  body: ['summary', 'description', 'content', 'message', 'note', 'comment'],
  description: ['body'],
  commit_message: ['message'],
  new_line: ['line'],
  line_number: ['line'],
  start_line: ['line'],
  resolve: ['resolved'],
  event: ['verdict'],
  state: ['state_event'],
  generate_release_notes: ['generate_notes'],
  old_string: ['find'],
  old_text: ['find'],
  new_string: ['replace'],
  new_text: ['replace'],
  replace_all: ['all'],
  timeout_seconds: ['timeout'],
  max_seconds: ['timeout'],
  timezone: ['cron_timezone'],
  variables: ['job_variables_attributes'],
  toolset: ['category'],
  toolsets: ['category'],
  commit_id: ['sha'],
  commit_sha: ['sha'],
  commit: ['sha'],
  commit_hash: ['sha'],
  yaml: ['content'],
  target_branch: ['branch', 'from'],
  queries: ['query'],
  name: ['key', 'tag_name', 'category', 'title', 'label', 'package_name', 'branch_name'],
  type: ['types', 'issue_type', 'package_type'],
  work_item_type: ['type'],
  time: ['duration'],
  file_name: ['filename', 'file_path'],
  filename: ['path', 'file_path'],
  ref_name: ['ref'],
  tag_name: ['ref'],
  source_branch: ['ref', 'start_branch', 'to'],
  start_branch: ['ref'],
  limit: ['per_page', 'first'],
  max_results: ['per_page', 'first'],
  page_size: ['per_page', 'first'],
  per_page: ['first'],
  first: ['per_page'],
  count: ['per_page', 'first'],
  page_number: ['page'],
  cursor: ['after', 'page_token'],
  end_cursor: ['after', 'page_token'],
  next_page_token: ['page_token'],
  direction: ['sort'],
  sort_order: ['sort'],
  sort_by: ['order_by'],
  tail: ['limit'],
  lines: ['limit'],
  tag: ['tag_name'],
  tags: ['tag_list'],
  release_notes: ['description'],
  secret: ['token'],
  secret_token: ['token'],
  severities: ['severity'],
  scope: ['environment_scope'],
  environment: ['environment_scope'],
  env: ['environment', 'environment_scope'],
  todo_id: ['id'],
  id: [
    'pipeline_id',
    'job_id',
    'schedule_id',
    'deployment_id',
    'environment_id',
    'hook_id',
    'snippet_id',
    'package_id',
    'vulnerability_id'
  ],
  number: ['merge_request_iid', 'issue_iid', 'iid'],
  status: ['state', 'state_event', 'scope'],
  start: ['start_line', 'start_date'],
  end: ['end_line'],
  due: ['due_date'],
  deadline: ['due_date'],
  after: ['since'],
  before: ['until'],
  created_after: ['since'],
  created_before: ['until'],
  updated_since: ['updated_after'],
  created_since: ['created_after'],
  when_pipeline_succeeds: ['auto_merge'],
  namespace_id: ['namespace'],
  namespace_path: ['namespace'],
  group_id: ['namespace'],
  group: ['namespace'],
  to_project_id: ['to_project'],
  archive: ['archived']
}

const byName = new Map(Object.entries(otherNames))

/**
 * Arguments that are only suggested if such a name is given. The name is not accepted for them because a gateway reads
 * the argument, because it may be another number, or because the action cannot be undone.
 */
const asked: Readonly<Record<string, string | readonly string[]>> = {
  projectId: 'project_id',
  repo: 'project_id',
  repository: 'project_id',
  groupId: 'group_id',
  mr: 'merge_request_iid',
  mr_id: 'merge_request_iid',
  pull_request: 'merge_request_iid',
  issue_id: ['issue_iid', 'iid'],
  work_item_id: 'iid',
  // If both exist, labels replaces all labels.
  label: 'add_labels',
  labels: 'add_label_ids',
  branch: 'name',
  branch_name: ['name', 'ref'],
  base_branch: 'ref',
  name: ['branch', 'search', 'file_path'],
  pattern: 'search',
  // Neither is the number of a page.
  offset: ['page', 'after'],
  cursor: 'page',
  sha: 'ref',
  lines: 'start_line',
  milestone_id: 'milestone',
  // These are parts of one edit, of which there may be several.
  find: 'edits',
  replace: 'edits',
  old_string: 'edits',
  new_string: 'edits',
  old_text: 'edits',
  new_text: 'edits',
  assets: 'links',
  link: 'url',
  // Not the flag that has them made.
  notes: 'description',
  tool: 'name',
  tool_name: 'name',
  type: ['target_type', 'scope'],
  status: 'message',
  username: 'user_id',
  title: 'slug',
  emoji: 'name',
  reaction: ['name', 'emoji'],
  commit: 'ref',
  commit_sha: 'ref',
  // An estimate and the time spent are set by different tools.
  estimate: 'duration',
  time_estimate: 'duration',
  time_spent: 'duration',
  // A change of project changes who may read an issue.
  target_project_id: 'to_project'
}

/** What `id` may be of, in the order in which it is: the thing itself stands before where it is. */
const things = ['merge_request_iid', 'issue_iid', 'iid', 'noteable_iid', 'slug', 'label', 'user_id'] as const
const places = ['project_id', 'group_id'] as const

/**
 * The arguments that `id` may stand for: what names the thing that a tool is about, and never what it only refers to.
 * @param open the arguments that are not given @param required those that the tool needs
 */
export function namedById(open: readonly string[], required: readonly string[]): readonly string[] {
  const thing = things.find(name => open.includes(name))
  if (thing !== undefined) return [thing]
  const ids = open.filter(
    name => name.endsWith('_id') && required.includes(name) && !places.some(one => one === name)
  )
  return ids.length > 0 ? ids : places.filter(name => open.includes(name)).slice(0, 1)
}

/**
 * Suggests the argument that may have been meant by a name that is not accepted, preferably the id of what is named.
 * @param known the arguments of the tool
 * @param open those of them that are not given: of several that may be meant, it is one of these
 */
export function askedName(
  name: string,
  known: readonly string[],
  open: readonly string[]
): string | undefined {
  if (known.includes(`${name}_id`)) return `${name}_id`
  const meant = Object.hasOwn(asked, name) ? asked[name]! : []
  return typeof meant === 'string'
    ? [meant].find(other => known.includes(other))
    : meant.find(other => open.includes(other))
}

/** What is written in an argument here whose parts other forges have apart, as the rest of a sentence. */
export function joinedName(name: string, has: (name: string) => boolean): string | undefined {
  return name === 'owner' && has('project_id') && !has(name)
    ? 'project_id has owner and repo in one: "owner/repo"'
    : undefined
}

/** Most characters of a name that is read: no argument has more. */
const MAX_CHARS = 60
/** A name with capital letters for underscores, of no more words than an argument has. */
const camelCase = /^[^A-Z]+(?:[A-Z][^A-Z]+){1,7}$/

/** The one argument that an unknown name stands for; undefined if there is none, or more than one. */
export function meantName(name: string, has: (name: string) => boolean): string | undefined {
  if (name.length > MAX_CHARS) return undefined
  const snake = camelCase.test(name) ? name.replace(/(?=[A-Z])/g, '_').toLowerCase() : undefined
  if (snake !== undefined && has(snake) && !isNamespace(snake)) return snake
  const fitting = (byName.get(name) ?? byName.get(snake ?? '') ?? []).filter(has)
  return fitting.length === 1 ? fitting[0] : undefined
}
