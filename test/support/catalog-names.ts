import type { ToolsetId } from '../../src/engine/rows/toolset-id.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

/** The documented names, written out a second time on purpose: a rename must be noticed. */
export const catalogNames: Readonly<Record<ToolsetId, string[]>> = {
  merge_requests: words(`
    merge_merge_request approve_merge_request unapprove_merge_request get_merge_request_approval_state get_branch
    list_branches get_merge_request_conflicts list_merge_request_pipelines get_merge_request
    get_merge_request_diffs list_merge_request_changed_files list_merge_request_diffs
    get_merge_request_file_diff list_merge_request_versions get_merge_request_version update_merge_request
    create_merge_request list_merge_requests get_branch_diffs mr_discussions create_merge_request_note
    update_merge_request_note delete_merge_request_note get_merge_request_note get_merge_request_notes
    delete_merge_request_discussion_note update_merge_request_discussion_note
    create_merge_request_discussion_note get_draft_note list_draft_notes create_draft_note update_draft_note
    delete_draft_note publish_draft_note bulk_publish_draft_notes create_merge_request_thread
    resolve_merge_request_thread list_merge_request_emoji_reactions list_merge_request_note_emoji_reactions
    create_merge_request_emoji_reaction delete_merge_request_emoji_reaction
    create_merge_request_note_emoji_reaction delete_merge_request_note_emoji_reaction list_merge_request_commits
    rebase_merge_request get_merge_request_raw_diff list_merge_request_closes_issues apply_suggestions
    list_merge_request_participants list_merge_request_approval_rules set_merge_request_approval_rule
    delete_merge_request_approval_rule add_merge_request_to_merge_train list_merge_trains`),
  issues: words(`
    create_issue list_issues my_issues get_issue update_issue update_issue_description_patch delete_issue
    create_issue_note update_issue_note list_issue_discussions create_note list_issue_links get_issue_link
    create_issue_link delete_issue_link list_issue_emoji_reactions list_issue_note_emoji_reactions
    create_issue_emoji_reaction delete_issue_emoji_reaction create_issue_note_emoji_reaction
    delete_issue_note_emoji_reaction list_todos mark_todo_done mark_all_todos_done`),
  pipelines: words(`
    list_pipelines get_pipeline list_deployments get_deployment list_environments get_environment
    list_pipeline_jobs list_pipeline_trigger_jobs get_pipeline_job get_pipeline_job_output create_pipeline
    retry_pipeline cancel_pipeline play_pipeline_job retry_pipeline_job cancel_pipeline_job list_job_artifacts
    download_job_artifacts get_job_artifact_file`),
  dependency_proxy: words(`
    get_dependency_proxy_settings update_dependency_proxy_settings list_dependency_proxy_blobs
    purge_dependency_proxy_cache`),
  repository: words(`
    get_file_contents get_files get_repository_tree get_file_blame search_code list_commits get_commit
    get_commit_diff list_commit_merge_requests list_commit_refs list_commit_statuses list_contributors list_tags get_tag
    list_protected_branches create_branch delete_branch commit_files cherry_pick_commit revert_commit create_tag
    delete_tag protect_branch unprotect_branch create_commit_status
    get_attachment upload_attachment`),
  projects: words(`
    list_projects get_project create_project fork_project update_project list_groups get_group list_members
    set_member remove_member resolve_url create_group star_project list_events`),
  people: words(`
    get_current_user find_users get_user list_user_followers follow_user set_user_status`),
  search: ['search'],
  planning: words(`
    list_labels create_label update_label delete_label list_milestones create_milestone update_milestone
    delete_milestone list_issue_related_merge_requests move_issue delete_issue_note list_iterations add_spent_time
    set_time_estimate`),
  ci: words(`
    lint_ci list_variables set_variable delete_variable list_pipeline_schedules get_pipeline_schedule
    create_pipeline_schedule update_pipeline_schedule delete_pipeline_schedule play_pipeline_schedule
    get_pipeline_test_report list_runners erase_job keep_job_artifacts`),
  releases: words(`
    list_releases get_release create_release update_release delete_release create_release_link
    delete_release_link`),
  wiki: words('list_wiki_pages get_wiki_page create_wiki_page update_wiki_page delete_wiki_page'),
  registry: words(`
    list_packages get_package delete_package list_registry_repositories list_registry_tags get_registry_tag
    delete_registry_tag`),
  work_items: words(`
    get_work_item list_work_items create_work_item update_work_item list_work_item_notes create_work_item_note`),
  security: words('list_vulnerabilities get_vulnerability change_vulnerability_state'),
  webhooks: words('list_webhooks create_webhook update_webhook delete_webhook test_webhook'),
  snippets: words('list_snippets get_snippet create_snippet update_snippet delete_snippet')
}
