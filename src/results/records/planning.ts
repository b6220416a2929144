import type { RecordViews } from './views.ts'

/** Records by which work is sorted and counted. */
export const planningRecords = {
  label: {
    list: 'id name color description priority is_project_label archived open_issues_count closed_issues_count open_merge_requests_count',
    once: 'is_project_label archived'
  },
  milestone: {
    list: 'id iid title description state start_date due_date expired web_url group_id project_id'
  },
  iteration: { list: 'id iid title state start_date due_date group_id web_url' },
  time: { list: 'human_total_time_spent human_time_estimate total_time_spent time_estimate' }
} as const satisfies Readonly<Record<string, RecordViews>>
