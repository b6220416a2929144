import { fieldsOf } from '../is-record.ts'
import { type Selection, selection } from '../selection.ts'
import type { RecordViews } from './views.ts'

const settings = selection(
  'id path_with_namespace name description visibility default_branch archived empty_repo topics namespace{id full_path kind} forked_from_project{id path_with_namespace} web_url http_url_to_repo ssh_url_to_repo open_issues_count star_count forks_count created_at last_activity_at merge_method squash_option remove_source_branch_after_merge only_allow_merge_if_pipeline_succeeds only_allow_merge_if_all_discussions_are_resolved only_allow_merge_if_all_status_checks_passed ci_config_path import_status import_error marked_for_deletion_on permissions{project_access{access_level role} group_access{access_level role}} statistics license{key} languages'
)

/**
 * Features that a project has disabled or restricted to its members; those that are enabled for everyone are left out.
 */
const restricted = (project: Readonly<Record<string, unknown>>) =>
  Object.entries(project).filter(
    ([name, level]) => name.endsWith('_access_level') && typeof level === 'string' && level !== 'enabled'
  )

const project: Selection = value => ({
  ...fieldsOf(settings(value)),
  ...Object.fromEntries(restricted(fieldsOf(value)))
})

/** Removes author_username from an event whose author has it, too. */
function tidyEvent(event: Record<string, unknown>): void {
  if ((event.author as { username?: string } | null | undefined)?.username !== undefined)
    event.author_username = undefined
}

/** Whether a forge's answer about a member is one. Where a seat has to be approved first, it is words. */
export const isMember = (value: unknown): boolean =>
  ['id', 'username', 'access_level'].some(name => fieldsOf(value)[name] !== undefined)

const changedMember = selection('id username name state access_level role expires_at member_role{name}')

/** Projects, groups, events and members. */
export const placeRecords = {
  project: {
    list: 'id path_with_namespace name description:300 default_branch visibility topics last_activity_at star_count forks_count web_url http_url_to_repo namespace{full_path}',
    get: project
  },
  starred_project: { list: 'id path_with_namespace star_count' },
  group: {
    list: 'id full_path name description:300 visibility parent_id web_url archived',
    get: 'id full_path name description visibility parent_id web_url project_creation_level subgroup_creation_level request_access_enabled default_branch created_at archived marked_for_deletion_on shared_with_groups{group_id group_full_path group_access_level role expires_at}'
  },
  member: {
    list: 'id username name state access_level role expires_at created_by{username} member_role{name} email',
    // Words in place of a member are shown whole (specification 3 §4).
    write: value => (isMember(value) ? changedMember(value) : value)
  },
  event: {
    list: 'action_name target_type target_iid target_title project_id author{username} author_username created_at push_data{ref ref_type action commit_count commit_title} note{body:300}',
    tidy: tidyEvent
  }
} as const satisfies Readonly<Record<string, RecordViews>>
