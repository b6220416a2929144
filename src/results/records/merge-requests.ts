import { isRecord } from '../is-record.ts'
import type { RecordViews } from './views.ts'

type Fields = Record<string, unknown>

const idsOf = (people: unknown): string =>
  JSON.stringify(
    Array.isArray(people) ? people.map(person => (isRecord(person) ? person.id : person)).sort() : []
  )

/** Removes the people that a rule names where these are all who may approve by it. */
function tidyRule(rule: Fields): void {
  if (rule.eligible_approvers !== undefined && idsOf(rule.users) === idsOf(rule.eligible_approvers))
    rule.users = undefined
}

/** Records that belong to merge requests. */
export const mergeRequestRecords = {
  approval: {
    list: 'id iid project_id state approved approvals_required approvals_left approved_by{user{username}} user_has_approved user_can_approve'
  },
  /** Its rules, or the approvals of a forge without any. */
  approval_state: {
    list: '*',
    tidy: ({ rules }: Fields) => {
      if (Array.isArray(rules)) rules.filter(isRecord).forEach(tidyRule)
    }
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
