import type { OwnFields } from '../../json/records.ts'
import { isRecord } from '../is-record.ts'
import type { RecordViews } from './views.ts'

/** Most people of a rule that are compared, and most characters of an id: a forge may send any number, of any size. */
const MAX_PEOPLE = 500
const MAX_ID_CHARS = 64

/**
 * The ids of people as texts with a sign before them, as V8's hash of numbers has no seed: a forge could send any count
 * of numbers with one hash. Undefined if there are too many to compare, or if one has no id.
 */
function idsOf(people: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(people)) return new Set()
  if (people.length > MAX_PEOPLE) return undefined
  const ids = people.map(person => (isRecord(person) ? person.id : person))
  return ids.every(isId) ? new Set(ids.map(id => `:${id}`)) : undefined
}

const isId = (id: unknown): boolean =>
  typeof id === 'number' || (typeof id === 'string' && id.length <= MAX_ID_CHARS)

function areSame(some: unknown, others: unknown): boolean {
  const [one, other] = [idsOf(some), idsOf(others)]
  return (
    one !== undefined && other !== undefined && one.size === other.size && [...one].every(id => other.has(id))
  )
}

/** Removes the users of a rule if they are exactly those who may approve by it. */
function tidyRule(rule: OwnFields): void {
  if (rule.eligible_approvers !== undefined && areSame(rule.users, rule.eligible_approvers))
    rule.users = undefined
}

/** Records that belong to merge requests. */
export const mergeRequestRecords = {
  approval: {
    list: 'id iid project_id state approved approvals_required approvals_left approved_by{user{username}} user_has_approved user_can_approve'
  },
  /** The rules of a merge request, or its approvals if the forge has no rules. */
  approval_state: {
    list: '*',
    tidy: ({ rules }: OwnFields) => {
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
