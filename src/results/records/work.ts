import type { OwnFields } from '../../json/records.ts'
import { isLongerThan } from '../../json/size.ts'
import { isRecord } from '../is-record.ts'
import type { RecordViews } from './views.ts'

/** Milestones and iterations inside another record. */
const PLAN = '{id iid title state due_date?}'
const PLACE =
  'old_path new_path old_line new_line line_range{start{old_line new_line} end{old_line new_line}} position_type? width? height? x? y?'
/** With the version of the diff, which only a caller who sets a position needs. */
const POSITION = `{base_sha start_sha head_sha ${PLACE}}`
const note = (position: string): string =>
  `id type? body author created_at updated_at system? resolvable? resolved resolved_by position${position} suggestions? internal? commit_id`
const draft = (position: string): string =>
  `id author_id merge_request_id note resolve_discussion discussion_id commit_id code? position${position}`
/** Fields of a note that the caller has just written. */
const SAID =
  'id type? body:100 created_at resolved resolved_by{username} position{old_path new_path old_line new_line}'
const DIFF =
  'old_path new_path new_file? deleted_file? renamed_file? generated_file? collapsed? too_large? a_mode b_mode diff'
const COMMIT = 'id title author_name authored_date web_url'
const ISSUE_BRIEF = `id iid project_id title state issue_type author{username} assignees?{username} labels? milestone${PLAN} iteration${PLAN} due_date weight severity confidential? user_notes_count? created_at updated_at closed_at moved_to_id web_url`

/**
 * Removes duplicates from a merge request: it has its people, branches and pipeline under an older and a newer name.
 */
function tidyMergeRequest(record: OwnFields): void {
  if (record.detailed_merge_status === 'not_open') record.detailed_merge_status = undefined
  if ([record.created_at, record.merged_at, record.closed_at].includes(record.updated_at))
    record.updated_at = undefined
  record.merge_user ??= record.merged_by
  record.head_pipeline ??= record.pipeline
  // Both are the project's own id, except for a fork.
  if (record.source_project_id === record.target_project_id) record.source_project_id = undefined
}

function tidyIssue(record: OwnFields): void {
  if (record.severity === 'UNKNOWN') record.severity = undefined
  if (record.updated_at === record.created_at) record.updated_at = undefined
}

function tidyNote(record: OwnFields): void {
  if (record.updated_at === record.created_at) record.updated_at = undefined
  const position = record.position as OwnFields | null | undefined
  if (position?.position_type === 'text') position.position_type = undefined
  // A range of one line only repeats that line.
  const { start, end } = (position?.line_range ?? {}) as { start?: OwnFields; end?: OwnFields }
  if (start?.line_code !== undefined && start.line_code === end?.line_code) position!.line_range = undefined
}

/** Longest position that is compared, in characters of JSON: it has two paths and some numbers and digests. */
const MAX_POSITION = 16_384

/** Removes the position from replies: it is the same as that of the note which they answer. */
function tidyDiscussion(record: OwnFields): void {
  const notes = Array.isArray(record.notes) ? record.notes.filter(isRecord) : []
  for (const note of notes) tidyNote(note)
  const placeIn = ({ position }: OwnFields) =>
    isLongerThan(position, MAX_POSITION) ? undefined : JSON.stringify(position)
  const [first, ...replies] = notes
  const place = first && placeIn(first)
  if (place === undefined) return
  for (const note of replies) if (placeIn(note) === place) note.position = undefined
}

/** Removes an empty position: a draft without one still has the object, with null in every field. */
function tidyDraft(record: OwnFields): void {
  tidyNote(record)
  const position = record.position as OwnFields | null | undefined
  if (position && Object.values(position).every(value => value == null)) record.position = undefined
}

/** Removes the address and text that its target has, too, unless the to-do is about a comment there. */
function tidyTodo(record: OwnFields): void {
  const { web_url, title } = isRecord(record.target) ? record.target : {}
  if (record.target_url === web_url) record.target_url = undefined
  if (record.body === title) record.body = undefined
}

/** Removes file modes that only say that a file is an ordinary one. */
function tidyDiff(record: OwnFields): void {
  const { a_mode: before, b_mode: after } = record
  if (after !== undefined && before !== after && before !== '0' && after !== '0') return
  record.a_mode = undefined
  if (after === '100644' || after === '0') record.b_mode = undefined
}

function tidyDiffs({ diffs }: OwnFields): void {
  if (Array.isArray(diffs)) diffs.filter(isRecord).forEach(tidyDiff)
}

/** Merge requests, issues, and the comments on them. */
export const workRecords = {
  /** The result of a merge. */
  merge: {
    list: 'id iid project_id title state sha merge_commit_sha squash_commit_sha merge_error merge_when_pipeline_succeeds? detailed_merge_status merged_at removes_source_branch web_url',
    tidy: tidyMergeRequest
  },
  merge_request: {
    list: `id iid project_id title state draft author{username} assignees?{username} reviewers?{username} labels? milestone${PLAN} source_branch target_branch source_project_id sha merge_commit_sha squash_commit_sha detailed_merge_status has_conflicts? merge_when_pipeline_succeeds? user_notes_count? created_at updated_at merged_at merge_user{username} closed_at web_url`,
    get: `*? iid draft state has_conflicts milestone${PLAN} head_pipeline{id iid status source ref sha coverage web_url} -assignee -reference -references -work_in_progress -merge_status -merged_by -pipeline -target_project_id -imported -imported_from -prepared_at -allow_maintainer_to_push -title_html -description_html -squash_on_merge -latest_build_started_at -latest_build_finished_at -subscribed -first_contribution -task_completion_status`,
    write: `id iid project_id title state draft assignees? reviewers? labels? milestone${PLAN} source_branch target_branch source_project_id sha merge_commit_sha squash_commit_sha detailed_merge_status merge_error merge_when_pipeline_succeeds? updated_at merged_at closed_at web_url`,
    once: 'project_id draft target_branch',
    tidy: tidyMergeRequest
  },
  issue: {
    // Enough of the text to sort by: without it a list of ten is usually followed by ten calls.
    list: `${ISSUE_BRIEF} description:250`,
    get: `*? iid state milestone${PLAN} iteration${PLAN} epic{id iid title state} -type -assignee -references -task_status -has_tasks -task_completion_status -subscribed -imported -imported_from -merge_requests_count -blocking_issues_count`,
    write: `id iid project_id title state issue_type assignees? labels? milestone${PLAN} due_date weight confidential? discussion_locked? updated_at closed_at moved_to_id web_url`,
    once: 'project_id issue_type',
    tidy: tidyIssue
  },
  /** One of several issues that were changed at once, or the reason why it was not changed. */
  changed_issue: {
    list: 'iid state labels? assignees?{username} milestone{title} due_date weight issue_iid problem'
  },
  issue_link: {
    list: `issue_link_id link_type ${ISSUE_BRIEF}`,
    get: 'id link_type source_issue{id iid project_id title state web_url} target_issue{id iid project_id title state web_url}',
    tidy: tidyIssue
  },
  note: {
    list: note(`{${PLACE}}`),
    get: `${note(POSITION)} noteable_type noteable_iid`,
    write: `${SAID} commands_changes? summary`,
    tidy: tidyNote
  },
  discussion: {
    list: `id individual_note? resolved? notes{${note(`{${PLACE}}`)}}`,
    write: `id individual_note? resolved? code? notes{${SAID}} commands_changes? summary`,
    tidy: tidyDiscussion
  },
  /** A resolved thread, without its notes: the caller has read them before. */
  resolved_thread: { list: 'id resolved resolved_by{username}' },
  draft_note: {
    list: draft(`{${PLACE}}`),
    get: draft(POSITION),
    write: 'id note:100 resolve_discussion discussion_id code? position{old_path new_path old_line new_line}',
    once: 'author_id merge_request_id',
    tidy: tidyDraft
  },
  diff: { list: DIFF, tidy: tidyDiff },
  comparison: {
    list: `commits{${COMMIT}} diffs{${DIFF}} compare_timeout? compare_same_ref? web_url`,
    tidy: tidyDiffs
  },
  version: {
    list: 'id state head_commit_sha base_commit_sha start_commit_sha real_size created_at',
    get: `* commits{${COMMIT}} diffs{${DIFF}}`,
    tidy: tidyDiffs
  },
  reaction: { list: 'id name user created_at' },
  todo: {
    list: 'id state action_name target_type target{id iid project_id title state web_url} target_url body author project{id path_with_namespace} created_at',
    tidy: tidyTodo
  }
} as const satisfies Readonly<Record<string, RecordViews>>
