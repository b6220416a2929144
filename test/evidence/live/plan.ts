import type { ToolRow } from '../../../src/engine/rows/row.ts'
import type { Ask, Known } from './seed.ts'

/*
 * How each tool is worked: in which order, with what, and what is learned from its answer. A tool that is not named
 * here is given what it must have from what is known by that name, and heeds what it is refused for.
 */

/** What others are made from. */
const early = ['create_branch', 'commit_files']
const makes = /^(create|set|upload|commit|fork|protect)_/
/** What others still need is done away with last. */
const late = [
  'submit_review',
  'delete_merge_request_note',
  'delete_release',
  'delete_tag',
  'remove_member',
  'merge_merge_request',
  'backport_merge_request',
  'add_merge_request_to_merge_train',
  'delete_branch',
  'delete_issue'
]
const ranks = { read: 2, write: 3, destructive: 4 }

/** Tools that make something go first, then those that read it, those that change it, and those that delete it. */
export function inOrder(rows: readonly ToolRow[]): ToolRow[] {
  const rank = ({ name, class: kind }: ToolRow) => {
    if (late.includes(name)) return 5 + late.indexOf(name)
    if (early.includes(name)) return 0
    return makes.test(name) ? 1 : ranks[kind]
  }
  return [...rows].sort((a, b) => rank(a) - rank(b))
}

/** Tools that reach beyond the project → why they are not worked. */
export const untouched: Record<string, string> = {
  mark_all_todos_done: "it would mark all of the token's owner's to-dos",
  follow_user: 'it would tell a stranger',
  set_user_status: "it would change what others see of the token's owner"
}

const text = 'Evidence'

/** Tool → its arguments beside the project, where those by name would not do. */
export const given: Record<string, (known: Known) => Record<string, unknown>> = {
  create_merge_request: () => ({ source_branch: 'evidence-2', target_branch: 'main', title: 'Evidence 2' }),
  create_branch: () => ({ branch: 'evidence-2', ref: 'main' }),
  commit_files: () => ({
    branch: 'evidence-2',
    commit_message: 'Make a file',
    actions: [{ action: 'create', file_path: 'evidence/made.txt', content: 'made\n' }]
  }),
  create_tag: () => ({ tag_name: 'evidence-2', ref: 'main' }),
  delete_tag: () => ({ tag_name: 'evidence-2' }),
  create_commit_status: ({ sha }) => ({ sha, state: 'success', name: 'evidence' }),
  cherry_pick_commit: ({ sha }) => ({ sha, branch: 'evidence-2' }),
  revert_commit: ({ sha }) => ({ sha, branch: 'evidence-2' }),
  protect_branch: () => ({ name: 'evidence-*' }),
  unprotect_branch: () => ({ name: 'evidence-*' }),
  delete_branch: () => ({ branch: 'evidence-2' }),
  update_merge_request: known => ({ merge_request_iid: known.merge_request_iid, description: text }),
  submit_review: ({ merge_request_iid }) => ({ merge_request_iid, summary: text }),
  backport_merge_request: ({ merge_request_iid }) => ({ merge_request_iid, target_branch: 'evidence-2' }),
  update_issues: ({ issue_iid }) => ({ issues: [{ issue_iid, title: text }] }),
  set_merge_request_approval_rule: known => ({
    merge_request_iid: known.merge_request_iid,
    name: text,
    approvals_required: 1
  }),
  create_project: ({ group_id }) => ({ name: 'evidence-second', namespace: group_id, visibility: 'private' }),
  fork_project: ({ project_id, group_id }) => ({
    project_id,
    namespace: group_id,
    name: 'evidence-fork',
    path: 'evidence-fork'
  }),
  create_group: ({ group_id }) => ({ name: 'evidence-group', path: 'evidence-group', parent: group_id }),
  update_project: () => ({ description: text }),
  play_pipeline_job: ({ manual_id }) => ({ job_id: manual_id }),
  move_issue: ({ moved_iid, second }) => ({ issue_iid: moved_iid, to_project: second }),
  delete_issue_note: ({ issue_iid, note_id }) => ({ issue_iid, note_id, confirm: text }),
  create_issue_link: ({ project_id, issue_iid, moved_iid }) => ({
    issue_iid,
    target_project_id: project_id,
    target_issue_iid: moved_iid
  }),
  create_label: () => ({ name: 'evidence-2', color: '#336699' }),
  update_label: () => ({ label: 'evidence-2', description: text }),
  delete_label: () => ({ label: 'evidence-2', confirm: 'evidence-2' }),
  create_milestone: () => ({ title: 'Evidence 2' }),
  update_milestone: ({ milestone_id }) => ({ milestone_id, description: text }),
  delete_milestone: ({ milestone_id }) => ({ milestone_id, confirm: 'Evidence 2' }),
  set_variable: () => ({ key: 'EVIDENCE', value: 'evidence' }),
  delete_variable: () => ({ key: 'EVIDENCE' }),
  add_spent_time: ({ issue_iid }) => ({ issue_iid, duration: '1h' }),
  set_time_estimate: ({ issue_iid }) => ({ issue_iid, duration: '2h' }),
  create_pipeline_schedule: () => ({ description: text, ref: 'main', cron: '0 4 * * *', active: false }),
  update_pipeline_schedule: ({ schedule_id }) => ({ schedule_id, cron: '0 5 * * *' }),
  delete_pipeline_schedule: ({ schedule_id }) => ({ schedule_id, confirm: text }),
  create_release: () => ({ tag_name: 'evidence-1', name: text, description: text }),
  create_release_link: () => ({ tag_name: 'evidence-1', name: text, url: 'https://example.com/evidence' }),
  delete_release_link: ({ link_id }) => ({ tag_name: 'evidence-1', link_id, confirm: text }),
  create_wiki_page: () => ({ title: text, content: text }),
  update_wiki_page: ({ slug }) => ({ slug, content: 'More evidence' }),
  create_work_item: () => ({ title: text, type: 'issue' }),
  create_webhook: () => ({ url: 'https://example.com/evidence', events: ['push'] }),
  delete_webhook: ({ hook_id }) => ({ hook_id, confirm: 'https://example.com/evidence' }),
  create_snippet: () => ({ title: text, files: [{ file_path: 'evidence.txt', content: text }] }),
  update_snippet: ({ snippet_id }) => ({ snippet_id, description: text }),
  delete_snippet: ({ snippet_id }) => ({ snippet_id, confirm: text }),
  upload_attachment: () => ({ filename: 'evidence.txt', content: text }),
  delete_package: ({ package_id }) => ({ package_id, confirm: 'evidence' }),
  erase_job: ({ job_id, job_name }) => ({ job_id, confirm: job_name }),
  delete_merge_request_approval_rule: ({ merge_request_iid, rule_id }) => ({
    merge_request_iid,
    rule_id,
    confirm: text
  }),
  update_dependency_proxy_settings: ({ group_id }) => ({ group_id, enabled: true }),
  resolve_url: ({ web_url }) => ({ url: web_url }),
  find_users: ({ username }) => ({ username }),
  get_user: ({ username }) => ({ username }),
  list_user_followers: ({ username }) => ({ username }),
  search: ({ project_id }) => ({ project_id, scope: 'issues', query: text }),
  search_code: ({ project_id }) => ({ project_id, query: 'echo' }),
  wait_for_pipeline: ({ pipeline_id }) => ({ pipeline_id, timeout: 1 }),
  wait_for_job: ({ job_id }) => ({ job_id, timeout: 1 }),
  diagnose_pipeline: ({ pipeline_id }) => ({ pipeline_id }),
  get_job_artifact_file: ({ job_id }) => ({ job_id, artifact_path: 'evidence.txt' }),
  // Last of all: a member with no one else's rights to lose.
  set_member: ({ username }) => ({ username, role: 'maintainer' }),
  remove_member: ({ user_id, username }) => ({ user_id, confirm: username })
}

// biome-ignore lint/suspicious/noExplicitAny: records of every kind are looked into
type Learned = (value: any) => Known

/** Tool → what its answer tells the tools after it. */
export const learned: Record<string, Learned> = {
  create_project: ({ path_with_namespace }) => ({ second: path_with_namespace }),
  create_milestone: ({ id }) => ({ milestone_id: id }),
  create_pipeline_schedule: ({ id }) => ({ schedule_id: id }),
  create_release_link: ({ id }) => ({ link_id: id }),
  create_wiki_page: ({ slug }) => ({ slug }),
  create_work_item: ({ iid }) => ({ iid }),
  create_webhook: ({ id }) => ({ hook_id: id }),
  create_snippet: ({ id }) => ({ snippet_id: id }),
  set_merge_request_approval_rule: ({ id }) => ({ rule_id: id }),
  list_merge_request_versions: ([newest]) => ({ version_id: newest?.id }),
  list_todos: ([newest]) => ({ id: newest?.id }),
  upload_attachment: ({ url }) => {
    const [secret, filename] = String(url).split('/').slice(-2)
    return { secret, filename }
  }
}

type Fresh = (ask: Ask, at: string, known: Known) => Promise<Known>

const award =
  (noteable: 'issues' | 'merge_requests', ofNote = false): Fresh =>
  async (ask, at, { issue_iid, merge_request_iid, note_id }) => {
    const iid = noteable === 'issues' ? issue_iid : merge_request_iid
    const note = ofNote ? `/notes/${note_id}` : ''
    const made = await ask('POST', `${at}/${noteable}/${iid}${note}/award_emoji`, { name: 'rocket' })
    return { award_id: made?.id }
  }

/** Tool → what is made for it alone, as what was there is gone by then. */
export const fresh: Record<string, Fresh> = {
  delete_draft_note: async (ask, at, { merge_request_iid }) => {
    const made = await ask('POST', `${at}/merge_requests/${merge_request_iid}/draft_notes`, { note: text })
    return { draft_note_id: made?.id }
  },
  delete_merge_request_discussion_note: async (ask, at, { merge_request_iid }) => {
    const made = await ask('POST', `${at}/merge_requests/${merge_request_iid}/discussions`, { body: text })
    const [note] = (made?.notes as { id: unknown }[] | undefined) ?? []
    return { discussion_id: made?.id, note_id: note?.id }
  },
  delete_issue_note: async (ask, at, { issue_iid }) => {
    const made = await ask('POST', `${at}/issues/${issue_iid}/notes`, { body: text })
    return { note_id: made?.id }
  },
  delete_merge_request_emoji_reaction: award('merge_requests'),
  delete_merge_request_note_emoji_reaction: award('merge_requests', true),
  delete_issue_emoji_reaction: award('issues'),
  delete_issue_note_emoji_reaction: award('issues', true)
}
