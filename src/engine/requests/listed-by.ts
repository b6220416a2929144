/** Where a caller finds the id for an argument: a tool that lists such things, or another place. */
export const listedBy: ReadonlyMap<string, string> = new Map([
  ['award_id', 'the list of emoji'],
  ['deployment_id', 'list_deployments'],
  ['draft_note_id', 'list_draft_notes'],
  ['environment_id', 'list_environments'],
  ['hook_id', 'list_webhooks'],
  ['issue_link_id', 'list_issue_links'],
  ['job_id', 'list_pipeline_jobs'],
  ['link_id', 'get_release'],
  ['milestone_id', 'list_milestones'],
  ['note_id', 'mr_discussions'],
  ['package_id', 'list_packages'],
  ['pipeline_id', 'list_pipelines'],
  ['repository_id', 'list_registry_repositories'],
  ['rule_id', 'list_merge_request_approval_rules'],
  ['schedule_id', 'list_pipeline_schedules'],
  ['snippet_id', 'list_snippets'],
  ['version_id', 'list_merge_request_versions'],
  ['vulnerability_id', 'list_vulnerabilities']
])
