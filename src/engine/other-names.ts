/*
 * What models call an argument by habit of other tools and other forges. A name counts only where the tool has no
 * argument of that name, and has exactly one of those that it may stand for. Names that are mirrored in headers, by
 * which a gateway polices, have no other: what it reads is what counts.
 */

const otherNames: Readonly<Record<string, readonly string[]>> = {
  iid: ['merge_request_iid', 'issue_iid', 'work_item_iid'],
  work_item_iid: ['iid'],
  epic_iid: ['iid'],
  issue_iid: ['iid'],
  mr_iid: ['merge_request_iid'],
  pull_number: ['merge_request_iid'],
  issue_number: ['issue_iid', 'iid'],
  pipeline: ['pipeline_id'],
  job: ['job_id'],
  assignee: ['assignee_ids', 'assignee_username'],
  assignees: ['assignee_ids'],
  assignee_usernames: ['assignee_ids'],
  reviewer: ['reviewer_ids', 'reviewer_username'],
  reviewers: ['reviewer_ids'],
  author: ['author_username'],
  reviewer_usernames: ['reviewer_ids'],
  user: ['username'],
  access_level: ['role'],
  milestone: ['milestone_id'],
  label: ['labels'],
  file: ['path', 'file_path'],
  files: ['actions'],
  file_path: ['path'],
  path: ['file_path'],
  paths: ['file_paths'],
  file_paths: ['paths'],
  branch: ['branch_name', 'source_branch', 'ref'],
  branch_name: ['branch'],
  head: ['source_branch'],
  base: ['target_branch'],
  source: ['source_branch'],
  target: ['target_branch'],
  remove_source_branch: ['should_remove_source_branch'],
  should_remove_source_branch: ['remove_source_branch'],
  search: ['query'],
  query: ['search'],
  message: ['commit_message', 'body'],
  comment: ['body'],
  note: ['body'],
  text: ['body'],
  content: ['body'],
  body: ['summary', 'description'],
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
  limit: ['per_page'],
  tail: ['limit'],
  lines: ['limit'],
  tag: ['tag_name'],
  todo_id: ['id'],
  namespace_id: ['namespace'],
  archive: ['archived']
}

const byName = new Map(Object.entries(otherNames))

/** The one argument that a name it does not have is taken for; undefined where there is none, or more than one. */
export function meantName(name: string, has: (name: string) => boolean): string | undefined {
  const fitting = (byName.get(name) ?? []).filter(has)
  return fitting.length === 1 ? fitting[0] : undefined
}
