import t from 'tap'
import { insteadOfTool, wayInstead } from '../../../src/catalog/other-servers/other-tools.ts'
import { catalogNames } from '../../support/catalog-names.ts'

const usable = new Set([
  ...Object.values(catalogNames).flat(),
  ...['backport_merge_request', 'diagnose_pipeline', 'get_failed_jobs', 'submit_review', 'whats_on_my_plate']
])

/** Tools, and their names in GitHub's and GitLab's own servers, in others, in libraries and on command lines. */
const namesElsewhere: Readonly<Record<string, string>> = {
  get_commit: 'git_show',
  list_branches: 'git_branch',
  star_project: 'unstar',
  resolve_merge_request_thread:
    'resolve_comment resolve_thread unresolve_thread resolve_review_thread resolve_review_discussion',
  create_merge_request_thread: 'create_thread create_review_comment',
  get_wiki_page: 'wiki_get_page',
  create_wiki_page: 'wiki_create_page',
  update_wiki_page: 'update_page',
  list_wiki_pages: 'list_pages',
  list_iterations: 'list_sprints',
  test_webhook: 'ping_hook',
  set_user_status: 'set_status',
  add_merge_request_to_merge_train: 'add_to_merge_train',
  approve_merge_request: 'mr_approve approve_pull_request approve_pr',
  backport_merge_request: 'cherry_pick_merge_request cherry_pick_pr',
  cancel_pipeline: 'cancel_workflow_run stop_pipeline run_cancel',
  cherry_pick_commit: 'cherry_pick',
  commit_files: `
    push_files delete_file create_or_update_file write_file edit_file create_or_update_files
    update_file_contents commit_changes create_commit
    git_commit git_push`,
  create_draft_note: 'add_comment_to_pending_review create_pending_pull_request_review',
  create_issue: 'issue_create',
  create_issue_emoji_reaction: 'add_reaction_to_issue',
  create_group: 'create_subgroup',
  create_issue_link: 'link_issues link_work_items',
  create_issue_note: 'add_issue_comment issue_note issue_comment',
  create_label: 'label_create',
  create_merge_request: 'mr_create mergerequest_create create_pull_request pr_create',
  create_merge_request_discussion_note:
    'add_reply_to_pull_request_comment reply_to_comment reply_to_review_comment',
  create_merge_request_note: `
    mr_note add_pr_comment add_pull_request_comment create_pull_request_comment pr_comment`,
  create_note: 'save_note',
  create_pipeline: `
    actions_run_trigger run_workflow trigger_workflow dispatch_workflow workflow_dispatch
    start_pipeline workflow_run`,
  create_pipeline_schedule: 'schedule_create schedule_pipeline',
  create_project: 'create_repository repo_create',
  create_release: 'release_create publish_release generate_changelog',
  create_release_link: 'upload_release_asset',
  create_snippet: 'create_gist snippet_create gist_create',
  create_tag: 'tag_commit',
  create_webhook: 'create_project_hook',
  create_work_item: 'create_sub_issue create_epic',
  create_work_item_note: 'create_workitem_note',
  delete_label: 'label_delete',
  delete_variable: 'variable_delete',
  download_job_artifacts: 'download_artifact',
  find_users: 'search_user',
  fork_project: 'fork_repository repo_fork create_fork fork',
  get_branch_diffs: 'compare_refs git_diff',
  get_current_user: 'get_me get_profile current_user get_current_user_info',
  get_failed_jobs: 'get_pipeline_failing_jobs',
  get_file_contents: `
    get_repository_file get_file_content read_file get_readme get_blob get_raw_file_contents
    read_file_contents get_contents`,
  get_files: 'files.get',
  get_group: 'get_organization',
  get_issue:
    'get_time_stats get_time_tracking issue_read issue_view get_issue_details get_issue_by_number fetch_issue',
  get_merge_request: `
    get_pull_request_status pull_request_read mr_view get_mergerequest get_pull_request pr_view
    retrieve_merge_request`,
  get_merge_request_approval_state: 'get_pull_request_reviews',
  get_merge_request_diffs: `
    get_pull_request_diff mr_diff pr_diff get_diffs get_changes list_changes`,
  get_merge_request_notes: 'get_pull_request_comments list_pr_comments',
  get_package: 'list_package_files',
  get_pipeline: 'actions_get get_workflow_run get_run run_view describe_pipeline',
  get_pipeline_job_output: `
    get_job_logs get_workflow_run_logs job.trace get_run_logs view_job_log get_build_log`,
  get_pipeline_test_report:
    'get_test_report get_test_results get_test_summary list_test_results get_merge_request_test_report',
  get_project: 'get_default_branch repo_view get_repo_info get_repository_info get_project_details',
  get_release: 'get_latest_release release_view',
  get_repository_tree: 'list_directory_contents get_directory_tree search_files list_contents',
  get_snippet: 'get_gist',
  get_user: 'get_user_info get_user_by_username',
  get_vulnerability: 'get_code_scanning_alert',
  lint_ci: 'validate_ci_config ci_config_lint',
  list_commit_statuses: 'get_commit_status get_check_runs list_check_runs get_combined_status',
  list_commits: 'project_commits_list search_commits',
  list_contributors: 'repo_contributors get_contributors list_contributions',
  list_events: 'user_events list_activity get_activity get_user_activity list_user_activity',
  list_groups: 'search_orgs list_organizations list_subgroups',
  list_issues: 'search_issues issue_list project_issues_list browse_issues list_project_issues',
  list_job_artifacts: 'list_workflow_run_artifacts job_artifact get_artifacts get_job_artifacts',
  list_labels: 'list_label search_labels label_list',
  list_members: `
    list_repository_collaborators list_collaborators list_group_members list_project_members
    get_project_members`,
  list_merge_request_changed_files: 'get_pull_request_files list_pull_request_files',
  list_merge_request_commits: 'get_merge_request_commits list_pull_request_commits',
  list_merge_request_pipelines: 'get_merge_request_pipelines get_pr_checks pr_checks',
  list_merge_requests: `
    search_pull_requests mr_list project.mergerequests.list mergerequests.get browse_merge_requests
    list_pull_requests pr_list search_prs
    get_branch_merge_requests`,
  list_milestones: 'milestone_list',
  list_pipeline_jobs: 'list_workflow_jobs get_pipeline_jobs list_run_jobs list_builds',
  list_pipeline_schedules: 'schedule_list',
  list_pipeline_trigger_jobs: 'get_pipeline_bridges list_pipeline_bridges',
  list_pipelines:
    'list_pipelines_for_commit list_commit_pipelines list_workflow_runs actions_list list_workflows list_runs run_list workflow_list',
  list_projects: `
    list_starred_repositories repo_search projects.list list_org_repos repo_list search_repos
    list_group_projects get_user_projects`,
  list_protected_branches: 'get_branch_protection list_branches_protection',
  list_registry_repositories: 'list_container_images list_docker_images list_images',
  list_registry_tags: 'list_container_tags list_image_tags',
  list_releases: 'release_list',
  list_snippets: 'list_gists',
  list_variables: 'variable_list variable_get list_environment_variables get_secrets secret_list',
  list_vulnerabilities: `
    list_code_scanning_alerts list_secret_scanning_alerts list_dependabot_alerts
    list_security_findings list_vulnerability_findings`,
  list_webhooks: 'list_hooks project_hooks',
  list_work_item_notes: 'get_workitem_notes',
  list_work_items: 'list_sub_issues incident_list list_epics',
  mark_all_todos_done: 'mark_all_as_done',
  delete_release_link: 'delete_release_asset',
  mark_todo_done: 'mark_todo_as_done dismiss_notification dismiss_todo mark_todo_read',
  merge_merge_request: `
    merge_pull_request mr_merge merge_pr pr_merge merge_when_pipeline_succeeds enable_auto_merge`,
  my_issues: 'list_my_issues',
  play_pipeline_job: 'job.play',
  play_pipeline_schedule: 'schedule_run',
  protect_branch:
    'update_branch_protection create_protected_branch update_protected_branch lock_branch freeze_branch',
  rebase_merge_request: 'update_pull_request_branch mr_rebase rebase',
  remove_member: 'remove_collaborator remove_project_member remove_user',
  retry_pipeline: 'rerun_failed_jobs rerun_workflow_run pipeline.retry rerun_pipeline run_rerun',
  retry_pipeline_job: 'restart_job rerun_job',
  revert_commit: 'revert',
  search: 'gitlab_search',
  search_code: 'semantic_code_search',
  purge_dependency_proxy_cache: 'clear_dependency_proxy_cache',
  set_member: 'invite_member add_collaborator add_group_member update_member_role invite_user',
  set_variable: 'variable_set variable_update create_secret secret_set',
  submit_review: 'create_and_submit_pull_request_review pull_request_review_write create_review',
  unapprove_merge_request: 'mr_revoke unapprove',
  unprotect_branch: 'unlock_branch',
  update_issue: `
    add_labels_to_issue issue_close set_issue_labels set_labels add_assignee_to_issue
    assign_user_to_issue set_issue_milestone set_milestone remove_label_from_issue replace_issue_labels
    label_issue`,
  update_pipeline_schedule: 'pause_schedule pause_pipeline_schedule resume_schedule',
  update_merge_request: `
    mr_close mr_reopen mr_update change_merge_request_title update_pr_title add_reviewers_to_pr
    convert_to_draft mark_as_draft set_merge_request_reviewers close_pull_request
    update_pull_request close_pr reopen_pr assign_reviewers request_reviewers
    label_pr`,
  update_project: 'set_default_branch set_project_visibility change_project_visibility',
  update_release: 'edit_release',
  update_snippet: 'update_gist',
  update_work_item: 'add_child add_sub_issue remove_sub_issue add_epic_issue add_to_epic',
  whats_on_my_plate: 'list_my_prs'
}

t.test('a name of another server is answered with the tool that does the same here', async t => {
  const names = Object.entries(namesElsewhere).flatMap(([tool, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map(name => [name, tool] as const)
  )
  const said = names.map(([name]) => [name, insteadOfTool(name, usable)])
  const wanted = names.map(([name, tool]) => [name, `Did you mean ${tool}?`])
  t.same(said, wanted)
})

t.test('a name of another server for what is not had here is answered so, with who does it', async t => {
  for (const [name, says] of [
    [
      'get_pipeline_variables',
      'No tool reads the variables that a pipeline was started with: its page does.'
    ],
    ['list_pipeline_schedule_pipelines', 'No tool lists the pipelines of a schedule: its page does.'],
    ['delete_environment', 'No tool changes environments: their page does.'],
    ['get_milestone_burndown_events', 'No tool reads burndown charts: the page of the milestone does.'],
    ['burn_down_chart', 'No tool reads burndown charts: the page of the milestone does.'],
    ['promote_label', 'No tool promotes a label: the page of its project’s labels does.'],
    ['update_group', 'No tool changes a group: the page of its settings does.'],
    [
      'share_project_with_group',
      'No tool shares a project or group with a group: the page of its members does.'
    ],
    [
      'list_access_requests',
      'No tool reads or answers requests for access: the page of the members of the project or group does.'
    ],
    ['create_todo', 'No tool makes a to-do: the page of the issue or merge request does.'],
    ['execute_graphql', 'No tool passes a query of yours on to the GraphQL API: each tool does one thing.'],
    ['promote_milestone', 'No tool promotes a milestone: its page does.'],
    ['create_release_evidence', 'No tool collects evidence: the forge does when it makes a release.'],
    ['list_webhook_events', 'No tool reads what a webhook has sent: its settings on the forge do.'],
    ['get_pipeline_test_report_summary', 'Did you mean get_pipeline_test_report?'],
    ['get_pipeline_schedule_variable', 'Did you mean get_pipeline_schedule?']
  ] as const)
    t.equal(insteadOfTool(name, usable), says)
})

t.test('where another server has one tool for what several do here, each is told', async t => {
  for (const [name, says] of [
    ['save_issue', 'create_issue makes an issue, update_issue changes one.'],
    ['label_write', 'create_label makes a label, update_label changes one.'],
    ['sub_issue_write', 'create_work_item makes a work item, update_work_item changes one.'],
    ['save_note', 'Did you mean create_note?'],
    [
      'mcp__gitlab__manage_labels',
      'create_label makes a label, update_label changes one, delete_label deletes one.'
    ],
    [
      'manage_pipeline',
      'create_pipeline makes a pipeline, get_pipeline gets one, retry_pipeline retries one, cancel_pipeline cancels one.'
    ],
    [
      'edit_comment',
      'update_issue_note changes a comment of an issue, update_merge_request_note one of a merge request.'
    ],
    [
      'list_discussions',
      'list_issue_discussions has the comments of an issue, mr_discussions those of a merge request.'
    ]
  ] as const)
    t.equal(insteadOfTool(name, usable), says)
})

t.test('a name for what no tool does is answered with the nearest way', t => {
  const without = new Set([...usable].filter(tool => tool !== 'download_job_artifacts'))
  const said: Readonly<Record<string, readonly [says: string, ...names: string[]]>> = {
    comments: [
      'No tool reads or writes comments on commits: the page of the commit on the forge does. create_merge_request_thread comments on a line of a merge request, where it is read.',
      ...['comment_on_commit', 'create_commit_comment', 'list_commit_comments', 'get_commit_comments']
    ],
    threads: [
      'resolve_merge_request_thread resolves one thread a call; submit_review resolves several by its replies.',
      ...['resolve_all_threads', 'resolve_mr_discussions']
    ],
    mergeability: [
      'get_merge_request says by detailed_merge_status whether it can be merged.',
      ...['check_mergeability', 'check_merge_status', 'is_mergeable']
    ],
    trains: [
      'No tool takes a merge request off a merge train: its page on the forge does. list_merge_trains shows what is on one.',
      ...['remove_from_merge_train', 'delete_merge_train_car', 'remove_pr_from_merge_train']
    ],
    deployments: [
      'retry_pipeline_job deploys again: its job is the deployable of a deployment, which list_deployments has.',
      ...['redeploy', 'redeploy_environment', 'rollback_deployment']
    ],
    pipelines: [
      'No tool deletes a pipeline: its page on the forge does. cancel_pipeline stops one that runs.',
      ...['delete_pipeline', 'remove_pipeline', 'delete_pipelines']
    ],
    names: [
      'No tool renames a branch: create_branch makes one by the other name of it, then delete_branch deletes it. Merge requests stay with the old name.',
      ...['rename_branch']
    ],
    tags: [
      'No tool changes a tag: delete_tag deletes it, and create_tag makes it anew.',
      ...['update_tag', 'move_tag']
    ],
    artifacts: [
      'No tool saves artifacts here: list_job_artifacts lists the files in them, get_job_artifact_file reads one.',
      ...['download_artifact', 'download_job_artifact']
    ],
    freezes: [
      'No tool reads or changes deploy freezes: the settings of the project on the forge do.',
      ...['list_freeze_periods', 'create_freeze_period', 'freeze_deployments']
    ],
    keys: [
      'No tool reads or changes keys of people: their own settings on the forge do.',
      ...['list_ssh_keys', 'add_ssh_key', 'list_gpg_keys']
    ],
    ownership: [
      'No tool takes over a pipeline schedule: its page on the forge does. create_pipeline_schedule makes one that is yours.',
      ...['take_ownership', 'take_pipeline_schedule_ownership', 'pipeline_schedule_take_ownership']
    ],
    duplicates: [
      'update_issue closes a duplicate by state_event=close, and create_issue_link links it to the other issue.',
      ...['mark_as_duplicate', 'mark_issue_as_duplicate', 'close_as_duplicate']
    ],
    copies: [
      'No tool copies an issue: create_issue makes another one of what get_issue gives. move_issue moves it to another project.',
      ...['clone_issue', 'duplicate_issue', 'copy_issue', 'issue_clone']
    ],
    requests: [
      'No tool deletes a merge request: its page on the forge does. update_merge_request closes one by state_event=close.',
      ...['delete_merge_request', 'delete_pr', 'remove_merge_request']
    ],
    users: [
      'No tool makes, blocks or deletes users: administrators do so on the forge. set_member gives one a role in a project or group, remove_member takes it.',
      ...['create_user', 'block_user', 'delete_user']
    ],
    exports: [
      'No tool exports or imports projects: their settings on the forge do.',
      ...['export_project', 'import_project', 'project_export', 'schedule_project_export']
    ],
    terraform: [
      'No tool reads or changes Terraform states: the pages of the project on the forge do.',
      ...['get_terraform_state', 'list_terraform_states']
    ],
    'protected environments': [
      'No tool reads or changes protected environments: the settings of the project on the forge do.',
      ...['list_protected_environments', 'protect_environment']
    ],
    triggers: [
      'No tool reads or changes trigger tokens: the settings of the project on the forge do. create_pipeline starts a pipeline.',
      ...['create_trigger', 'list_triggers', 'delete_pipeline_trigger']
    ],
    deploys: [
      'No tool deploys by itself: jobs of a pipeline do. play_pipeline_job starts one that waits for a person, create_pipeline a pipeline.',
      ...['deploy', 'deploy_to_production', 'create_deployment', 'trigger_deploy']
    ],
    forks: [
      'No tool brings a fork up to date: its page on the forge does. create_merge_request takes what the other project has by a merge request of that one, with the fork as target_project_id.',
      ...['sync_fork', 'fork_sync', 'update_fork']
    ],
    epics: [
      'No tool makes an epic of an issue: the page of the issue on the forge does. create_work_item makes an epic of a group, and update_work_item gives the issue that one as its parent.',
      ...['promote_to_epic', 'promote_issue_to_epic', 'convert_issue_to_epic', 'promote_issue']
    ],
    'work items': [
      'delete_issue deletes what has a number in a project, such as a task; what is of a group is deleted on the forge.',
      ...['delete_work_item', 'delete_task', 'remove_workitem']
    ],
    'deleted epics': [
      'No tool deletes an epic: its page on the forge does. update_work_item closes one by state_event=close.',
      ...['delete_epic']
    ],
    clones: [
      'No tool works on a clone: get_files reads files at a branch or commit, and commit_files writes them.',
      ...['git_status', 'git_pull', 'clone_repository', 'git_clone']
    ],
    groups: [
      'No tool deletes or transfers a group: its owner does so on the forge.',
      ...['delete_group', 'transfer_group']
    ],
    discussion: [
      'list_issue_discussions has the comments of an issue, mr_discussions those of a merge request.',
      ...['get_discussion', 'get_thread']
    ],
    reactions: [
      'No tool has reactions of work items: list_issue_emoji_reactions and create_issue_emoji_reaction do, for what has a number in a project.',
      ...['list_work_item_emoji_reactions', 'create_work_item_note_emoji_reaction']
    ],
    branches: [
      'No tool merges branches by themselves: create_merge_request makes a merge request from one into another, and merge_merge_request merges it.',
      ...['merge_branch', 'merge_branches']
    ],
    files: [
      'commit_files moves a file by action=move, with the old path as previous_path.',
      ...['move_file', 'move_files']
    ],
    sizes: [
      'get_project has the sizes of a project with statistics=true.',
      ...['get_project_statistics', 'get_repository_stats']
    ],
    reviews: [
      'No tool dismisses the review of somebody else. unapprove_merge_request takes back your own approval.',
      ...['dismiss_review', 'dismiss_pull_request_review']
    ],
    counts: [
      'No tool only counts: with per_page=1, the pagination of list_issues and list_merge_requests has the total.',
      ...['get_issues_statistics', 'issues_statistics', 'count_issues', 'count_prs']
    ]
  }
  const wanted = Object.values(said).flatMap(([says, ...names]) => names.map(name => [name, says]))
  t.same(
    wanted.map(([name = '']) => [name, insteadOfTool(name, without)]),
    wanted
  )
  t.end()
})

t.test('a name that wants something else done, or to something else, is answered with no tool', async t => {
  const names = [
    ...['delete_all_issues', 'obliterate_issues', 'purge_issues', 'drop_branch', 'set_get_issue'],
    ...['ci_delete', 'delete_workflow_run_logs', 'rename_pipeline', 'archive_issue_board'],
    ...['get_team_members', 'get_workflow_run_usage', 'cluster_agent_list', 'save_everything', 'write'],
    ...['undo_merge', 'never_fork', 'x_revert']
  ]
  const without = new Set([...usable].filter(tool => tool !== 'list_issues'))
  t.same(
    names.map(name => [name, insteadOfTool(name, without)]),
    names.map(name => [name, undefined])
  )
})

t.test('a search for what no tool does is told so', async t => {
  for (const [query, says] of [
    ['burn-down chart', /^No tool reads burndown charts/],
    ['terraform state', /^No tool reads or changes Terraform states/],
    ['block a user', /^No tool makes, blocks or deletes users/],
    ['create user', /^No tool makes, blocks or deletes users/],
    ['export project', /^No tool exports or imports projects/],
    ['protected environment', /^No tool reads or changes protected environments/],
    ['delete merge request', /^No tool deletes a merge request/],
    ['pin a comment', /^No tool subscribes to things or pins them/],
    ['promote an issue to an epic', /^No tool makes an epic of an issue/],
    ['sync my fork with upstream', /^No tool brings a fork up to date/],
    ['deploy to production', /^No tool deploys by itself/],
    ['merge a branch into main', /^No tool merges branches by themselves/],
    ['merge request analytics', /^No tool reads analytics/],
    ['value stream analytics', /^No tool reads analytics/],
    ['DORA metrics', /^No tool reads DORA metrics/],
    ['push mirror', /^No tool reads or changes mirrors/],
    ['badges', /^No tool reads or changes badges/],
    ['pages domain', /^No tool reads or changes domains of Pages/],
    ['time tracking report', /^No tool reports who spent time/],
    ['who spent time on issue', /^No tool reports who spent time/]
  ] as const)
    t.match(wayInstead(query, usable) ?? '', says, query)
  for (const query of [
    'pin CI variable to environment',
    'delete merge request note',
    'create user story',
    'deployments of main',
    'deployment status',
    'create an issue about DORA metrics',
    'create an issue about the push mirror',
    'update the wiki page on a pages domain',
    'search code for analytics',
    'add time spent on an issue'
  ])
    t.equal(wayInstead(query, usable), undefined, query)
})
