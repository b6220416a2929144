import t from 'tap'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'

/*
 * The merge request tools as they are documented: R reads, W writes, D also destroys; then the
 * arguments, those in brackets optional. M stands for project_id and merge_request_iid, B for project_id and
 * either merge_request_iid or source_branch.
 */
const specified = `
merge_merge_request D M [auto_merge merge_commit_message merge_when_pipeline_succeeds should_remove_source_branch squash_commit_message squash sha skip_merge_train]
approve_merge_request W M [sha approval_password]
unapprove_merge_request W M
get_merge_request_approval_state R M
get_branch R project_id branch_name
list_branches R project_id [search regex sort page per_page]
get_merge_request_conflicts R M
list_merge_request_pipelines R M [page per_page]
get_merge_request R B
get_merge_request_diffs R B [view excluded_file_patterns line_numbers]
list_merge_request_changed_files R B [excluded_file_patterns]
list_merge_request_diffs R B [page per_page unidiff line_numbers]
get_merge_request_file_diff R B file_paths [unidiff line_numbers]
list_merge_request_versions R M
get_merge_request_version R M version_id [unidiff]
update_merge_request W B [title description target_branch assignee_ids reviewer_ids labels add_labels remove_labels milestone_id discussion_locked state_event remove_source_branch squash draft]
create_merge_request W project_id title source_branch target_branch [description target_project_id assignee_ids reviewer_ids labels milestone_id draft allow_collaboration remove_source_branch squash]
list_merge_requests R [project_id group_id draft non_archived assignee_id assignee_username author_id author_username reviewer_id reviewer_username approved_by_usernames created_after created_before updated_after updated_before merged_after merged_before merge_user_id merge_user_username labels milestone scope search state order_by sort target_branch source_branch wip with_labels_details page per_page]
get_branch_diffs R project_id from to [straight excluded_file_patterns]
mr_discussions R M [resolved page per_page]
create_merge_request_note W M body
update_merge_request_note W M note_id body
delete_merge_request_note D M note_id
get_merge_request_note R M note_id
get_merge_request_notes R M [sort order_by per_page page]
delete_merge_request_discussion_note D M discussion_id note_id
update_merge_request_discussion_note W M discussion_id note_id [body resolved]
create_merge_request_discussion_note W M discussion_id body [created_at]
get_draft_note R M draft_note_id
list_draft_notes R M
create_draft_note W M body [in_reply_to_discussion_id position resolve_discussion path line end_line side old_line]
update_draft_note W M draft_note_id [body position resolve_discussion path line end_line side old_line]
delete_draft_note D M draft_note_id
publish_draft_note W M draft_note_id
bulk_publish_draft_notes W M [reviewer_state note internal]
create_merge_request_thread W M body [position created_at path line end_line side old_line]
resolve_merge_request_thread W M discussion_id resolved
list_merge_request_emoji_reactions R M
list_merge_request_note_emoji_reactions R M note_id [discussion_id]
create_merge_request_emoji_reaction W M name
delete_merge_request_emoji_reaction D M award_id
create_merge_request_note_emoji_reaction W M note_id name [discussion_id]
delete_merge_request_note_emoji_reaction D M note_id award_id [discussion_id]
list_merge_request_commits R B [page per_page]
rebase_merge_request W M [skip_ci wait]
get_merge_request_raw_diff R B
list_merge_request_closes_issues R M [page per_page]
apply_suggestions W suggestion_ids [commit_message]
list_merge_request_participants R M [reviewers]
list_merge_request_approval_rules R M [page per_page]
set_merge_request_approval_rule W M [rule_id name approvals_required user_ids group_ids approval_project_rule_id]
delete_merge_request_approval_rule D M rule_id confirm
add_merge_request_to_merge_train D M [auto_merge sha squash]
list_merge_trains R project_id [target_branch scope sort page per_page]
`

const classes = { R: 'read', W: 'write', D: 'destructive' } as const

/** One line of the list as name, class, required and optional arguments. */
function read(line: string) {
  const [, name, letter, rest] = /^(\S+) (\S) (.*)$/.exec(line)!
  const [needed = '', bracket = ''] = rest!.replaceAll(']', '').split('[')
  const words = (text: string) => text.split(' ').filter(word => word !== '')
  const required = words(needed.replace('M', 'project_id merge_request_iid').replace('B', 'project_id'))
  const optional = words(bracket)
  if (needed.startsWith('B')) optional.push('merge_request_iid', 'source_branch')
  return {
    name,
    class: classes[letter as keyof typeof classes],
    required: required.sort(),
    optional: optional.sort()
  }
}

t.test('the toolset has the documented tools with their classes and arguments', async t => {
  const expected = specified.trim().split('\n').map(read)
  const documented = new Set(expected.map(({ name }) => name))
  const rows = mergeRequests.rows
    .filter(({ name }) => documented.has(name))
    .map(row => {
      const { properties, required = [] } = row.input as { properties: object; required?: string[] }
      return {
        name: row.name,
        class: row.class,
        required: [...required].sort(),
        optional: Object.keys(properties)
          .filter(name => !required.includes(name))
          .sort()
      }
    })
  const byName = (a: { name?: string }, b: { name?: string }) => (a.name! < b.name! ? -1 : 1)
  t.equal(expected.length, 54)
  t.strictSame(rows.sort(byName), expected.sort(byName))
})
