import type { RecordViews } from './views.ts'

/** Records that belong to merge requests. */
export const mergeRequestRecords = {
  approval: {
    list: 'id iid project_id state approved approvals_required approvals_left approved_by{user{username}} user_has_approved user_can_approve'
  },
  approval_rule: {
    list: 'id name rule_type report_type section approvals_required approved approved_by{username} eligible_approvers{username} users{username} groups{full_path} source_rule{id} overridden contains_hidden_groups result'
  },
  merge_train: {
    list: 'id status target_branch merge_request{iid title} user{username} pipeline{id status web_url} created_at merged_at duration'
  },
  suggestion: {
    list: 'id applied applicable from_line to_line from_content:1000 to_content:1000'
  }
} as const satisfies Readonly<Record<string, RecordViews>>
