/*
 * The arguments that the specification names, by tool: those of the catalog and, from list_merge_request_commits on,
 * those of the reach. A field of an argument is named by its path. Words in capitals stand for names that many
 * tools share.
 */
const shared: Readonly<Record<string, string>> = {
  PROJECT: 'project_id',
  EITHER: 'project_id group_id',
  MR: 'project_id merge_request_iid',
  MR_OR_BRANCH: 'project_id merge_request_iid source_branch',
  ISSUE: 'project_id issue_iid',
  ITEM: 'project_id group_id iid',
  PIPELINE: 'project_id pipeline_id',
  JOB: 'project_id job_id',
  TAG: 'project_id tag_name',
  HOOK: 'url name description events push_events_branch_filter branch_filter_strategy enable_ssl_verification token',
  LINES: 'start_line end_line',
  ORDER: 'order_by sort',
  PAGES: 'page per_page',
  CURSOR: 'first after'
}

const table = `
merge_merge_request: MR auto_merge merge_commit_message merge_when_pipeline_succeeds should_remove_source_branch squash_commit_message squash sha skip_merge_train
approve_merge_request: MR sha approval_password
unapprove_merge_request: MR
get_merge_request_approval_state: MR
get_branch: PROJECT branch_name
list_branches: PROJECT search sort regex PAGES
get_merge_request_conflicts: MR
list_merge_request_pipelines: MR PAGES
get_merge_request: MR_OR_BRANCH
get_merge_request_diffs: MR_OR_BRANCH view excluded_file_patterns
list_merge_request_changed_files: MR_OR_BRANCH excluded_file_patterns
list_merge_request_diffs: MR_OR_BRANCH PAGES unidiff
get_merge_request_file_diff: MR_OR_BRANCH file_paths unidiff
list_merge_request_versions: MR
get_merge_request_version: MR version_id unidiff
update_merge_request: MR_OR_BRANCH title description target_branch assignee_ids reviewer_ids labels add_labels remove_labels milestone_id discussion_locked state_event remove_source_branch squash draft
create_merge_request: PROJECT title description source_branch target_branch target_project_id assignee_ids reviewer_ids labels milestone_id draft allow_collaboration remove_source_branch squash
list_merge_requests: EITHER assignee_id assignee_username author_id author_username reviewer_id reviewer_username approved_by_usernames created_after created_before updated_after updated_before labels milestone scope search state ORDER target_branch source_branch wip draft non_archived with_labels_details PAGES
get_branch_diffs: PROJECT from to straight excluded_file_patterns
mr_discussions: MR PAGES
create_merge_request_note: MR body
update_merge_request_note: MR note_id body
delete_merge_request_note: MR note_id
get_merge_request_note: MR note_id
get_merge_request_notes: MR ORDER PAGES
delete_merge_request_discussion_note: MR discussion_id note_id
update_merge_request_discussion_note: MR discussion_id note_id body resolved
create_merge_request_discussion_note: MR discussion_id body created_at
get_draft_note: MR draft_note_id
list_draft_notes: MR
create_draft_note: MR body in_reply_to_discussion_id position resolve_discussion
update_draft_note: MR draft_note_id body position resolve_discussion
delete_draft_note: MR draft_note_id
publish_draft_note: MR draft_note_id
bulk_publish_draft_notes: MR reviewer_state note internal
create_merge_request_thread: MR body position created_at
resolve_merge_request_thread: MR discussion_id resolved
list_merge_request_emoji_reactions: MR
list_merge_request_note_emoji_reactions: MR note_id discussion_id
create_merge_request_emoji_reaction: MR name
delete_merge_request_emoji_reaction: MR award_id
create_merge_request_note_emoji_reaction: MR note_id discussion_id name
delete_merge_request_note_emoji_reaction: MR note_id discussion_id award_id
create_issue: PROJECT title description assignee_ids labels milestone_id issue_type weight confidential due_date
list_issues: EITHER assignee_id assignee_username author_id author_username confidential created_after created_before due_date labels milestone issue_type iteration_id scope search state updated_after updated_before with_labels_details ORDER PAGES
my_issues: EITHER state labels milestone search created_after created_before updated_after updated_before PAGES
get_issue: ISSUE
update_issue: ISSUE title description assignee_ids confidential discussion_locked due_date labels add_labels remove_labels milestone_id state_event weight issue_type
update_issue_description_patch: ISSUE patch_type patch dry_run create_note allow_multiple
delete_issue: ISSUE
create_issue_note: ISSUE discussion_id body created_at
update_issue_note: ISSUE discussion_id note_id body resolved
list_issue_discussions: ISSUE PAGES
create_note: PROJECT noteable_type noteable_iid body
list_issue_links: ISSUE
get_issue_link: ISSUE issue_link_id
create_issue_link: ISSUE target_project_id target_issue_iid link_type
delete_issue_link: ISSUE issue_link_id
list_issue_emoji_reactions: ISSUE
list_issue_note_emoji_reactions: ISSUE note_id discussion_id
create_issue_emoji_reaction: ISSUE name
delete_issue_emoji_reaction: ISSUE award_id
create_issue_note_emoji_reaction: ISSUE note_id discussion_id name
delete_issue_note_emoji_reaction: ISSUE note_id discussion_id award_id
list_todos: EITHER action author_id state type PAGES
mark_todo_done: id
list_pipelines: PROJECT scope status ref sha yaml_errors username updated_after updated_before ORDER PAGES
get_pipeline: PIPELINE
list_deployments: PROJECT environment ref sha status updated_after updated_before ORDER PAGES
get_deployment: PROJECT deployment_id
list_environments: PROJECT name search states PAGES
get_environment: PROJECT environment_id
list_pipeline_jobs: PIPELINE scope include_retried PAGES
list_pipeline_trigger_jobs: PIPELINE scope PAGES
get_pipeline_job: JOB limit offset
get_pipeline_job_output: JOB limit offset
create_pipeline: PROJECT ref variables inputs
retry_pipeline: PIPELINE
cancel_pipeline: PIPELINE
play_pipeline_job: JOB job_variables_attributes
retry_pipeline_job: JOB
cancel_pipeline_job: JOB force
list_job_artifacts: JOB path recursive
download_job_artifacts: JOB local_path
get_job_artifact_file: JOB artifact_path
get_dependency_proxy_settings: group_id
update_dependency_proxy_settings: group_id enabled identity secret
list_dependency_proxy_blobs: group_id CURSOR
purge_dependency_proxy_cache: group_id
list_merge_request_commits: MR_OR_BRANCH PAGES
rebase_merge_request: MR skip_ci wait
get_merge_request_raw_diff: MR_OR_BRANCH
list_merge_request_closes_issues: MR PAGES
apply_suggestions: suggestion_ids commit_message
list_merge_request_participants: MR reviewers
list_merge_request_approval_rules: MR PAGES
set_merge_request_approval_rule: MR rule_id name approvals_required user_ids group_ids approval_project_rule_id
delete_merge_request_approval_rule: MR rule_id confirm
add_merge_request_to_merge_train: MR auto_merge sha squash
list_merge_trains: PROJECT target_branch scope sort PAGES
get_file_contents: PROJECT path ref LINES lfs
get_files: PROJECT paths ref
get_repository_tree: PROJECT path ref recursive per_page page_token
get_file_blame: PROJECT path ref LINES
search_code: EITHER query ref filename extension path search_type PAGES
list_commits: PROJECT ref path author since until all with_stats first_parent order PAGES
get_commit: PROJECT sha stats
get_commit_diff: PROJECT sha unidiff excluded_file_patterns PAGES
list_commit_merge_requests: PROJECT sha state
create_branch: PROJECT branch ref
delete_branch: PROJECT branch
commit_files: PROJECT branch commit_message start_branch start_sha start_project author_name author_email actions.action actions.file_path actions.content actions.encoding actions.previous_path actions.execute_filemode actions.last_commit_id
cherry_pick_commit: PROJECT sha branch dry_run message
revert_commit: PROJECT sha branch dry_run
list_commit_statuses: PROJECT sha ref stage name pipeline_id all ORDER PAGES
create_commit_status: PROJECT sha state name ref description target_url coverage pipeline_id
list_tags: PROJECT search ORDER per_page page_token
get_tag: TAG
create_tag: TAG ref message
delete_tag: TAG
list_protected_branches: PROJECT search PAGES
protect_branch: PROJECT name push_access_level merge_access_level unprotect_access_level allow_force_push code_owner_approval_required
unprotect_branch: PROJECT name
list_contributors: PROJECT ref ORDER PAGES
list_projects: group_id search search_namespaces membership owned starred archived active visibility topic with_programming_language min_access_level include_subgroups with_shared last_activity_after last_activity_before ORDER PAGES page_token
get_project: PROJECT with_languages statistics
create_project: name path namespace description visibility initialize_with_readme default_branch topics template_name import_url
fork_project: PROJECT namespace name path description visibility branches mr_default_target_self
update_project: PROJECT name path description default_branch topics visibility merge_method squash_option only_allow_merge_if_pipeline_succeeds only_allow_merge_if_all_discussions_are_resolved remove_source_branch_after_merge issues_access_level merge_requests_access_level repository_access_level builds_access_level wiki_access_level snippets_access_level releases_access_level ci_config_path archived
list_groups: group_id all_levels search owned top_level_only all_available min_access_level visibility ORDER PAGES
get_group: group_id
create_group: name path parent description visibility
star_project: PROJECT starred
list_members: EITHER inherited query user_ids PAGES
set_member: EITHER user_id username role expires_at member_role_id
remove_member: EITHER user_id confirm unassign_issuables skip_subresources
list_events: PROJECT user action target_type before after scope sort PAGES
resolve_url: url
find_users: EITHER search username active PAGES
get_user: user_id username
list_user_followers: user_id username following PAGES
follow_user: user_id username follow
set_user_status: message emoji availability clear_after clear
search: EITHER scope query state confidential ref search_type ORDER PAGES
list_labels: EITHER search with_counts include_ancestor_groups include_descendant_groups only_group_labels archived PAGES
create_label: EITHER name color description priority
update_label: EITHER label new_name color description priority clear_priority archived
delete_label: EITHER label confirm
list_milestones: EITHER state title search iids include_ancestors include_descendants updated_after updated_before PAGES
create_milestone: EITHER title description start_date due_date
update_milestone: EITHER milestone_id title description start_date due_date state_event
delete_milestone: EITHER milestone_id confirm
list_issue_related_merge_requests: ISSUE relation PAGES
move_issue: ISSUE to_project
list_iterations: EITHER state search include_ancestors PAGES
add_spent_time: ISSUE merge_request_iid duration summary reset
set_time_estimate: ISSUE merge_request_iid duration reset
lint_ci: PROJECT content ref dry_run dry_run_ref include_jobs include_merged_yaml
list_variables: EITHER include_values environment_scope PAGES
set_variable: EITHER key value environment_scope variable_type protected masked raw hidden description
delete_variable: EITHER key environment_scope
list_pipeline_schedules: PROJECT scope PAGES
get_pipeline_schedule: PROJECT schedule_id include_values
create_pipeline_schedule: PROJECT description ref cron cron_timezone active inputs.name inputs.value variables.key variables.value variables.variable_type
update_pipeline_schedule: PROJECT schedule_id description ref cron cron_timezone active inputs.name inputs.value inputs.destroy variables.key variables.value variables.destroy
delete_pipeline_schedule: PROJECT schedule_id confirm
play_pipeline_schedule: PROJECT schedule_id
get_pipeline_test_report: PIPELINE suite max_cases
list_runners: EITHER type status paused tag_list version_prefix PAGES
erase_job: JOB confirm artifacts_only
keep_job_artifacts: JOB
list_releases: PROJECT ORDER updated_after updated_before PAGES
get_release: TAG
create_release: TAG name description ref tag_message milestones milestone_ids released_at links.name links.url links.direct_asset_path links.link_type
update_release: TAG name description released_at milestones milestone_ids
delete_release: TAG
create_release_link: TAG name url direct_asset_path link_type
delete_release_link: TAG link_id confirm
list_wiki_pages: EITHER
get_wiki_page: EITHER slug version LINES
create_wiki_page: EITHER title content format
update_wiki_page: EITHER slug title content format
delete_wiki_page: EITHER slug
list_packages: EITHER package_type package_name package_version status include_versionless exclude_subgroups ORDER PAGES
get_package: PROJECT package_id
delete_package: PROJECT package_id confirm
list_registry_repositories: EITHER tags_count PAGES
list_registry_tags: PROJECT repository_id PAGES
get_registry_tag: TAG repository_id
delete_registry_tag: TAG repository_id
get_work_item: ITEM
list_work_items: EITHER types state search in author_username assignee_usernames label_names milestone_titles iids parent_ids confidential include_descendants include_ancestors created_after created_before updated_after updated_before due_after due_before closed_after closed_before sort CURSOR
create_work_item: EITHER type type_id title description confidential assignee_ids label_ids milestone_id parent_id start_date due_date weight health_status iteration_id color
update_work_item: ITEM title description state_event assignee_ids add_label_ids remove_label_ids milestone_id parent_id start_date due_date weight health_status iteration_id color status
list_work_item_notes: ITEM sort comments_only CURSOR
create_work_item_note: ITEM body discussion_id internal
list_vulnerabilities: PROJECT state severity report_type CURSOR
get_vulnerability: vulnerability_id
change_vulnerability_state: vulnerability_id state reason comment
list_webhooks: EITHER PAGES
create_webhook: EITHER HOOK
update_webhook: EITHER hook_id HOOK
delete_webhook: EITHER hook_id confirm
test_webhook: EITHER hook_id event
list_snippets: PROJECT PAGES
get_snippet: PROJECT snippet_id file_path LINES
create_snippet: PROJECT title description visibility files.file_path files.content
update_snippet: PROJECT snippet_id title description visibility files.action files.file_path files.content files.previous_path
delete_snippet: PROJECT snippet_id confirm`

/** The arguments of each tool that the specification names, each with the path of its name. */
export const specified: ReadonlyMap<string, readonly string[]> = new Map(
  table
    .trim()
    .split('\n')
    .map(line => line.split(': ') as [string, string])
    .map(([tool, names]) => [tool, names.split(' ').flatMap(name => (shared[name] ?? name).split(' '))])
)
