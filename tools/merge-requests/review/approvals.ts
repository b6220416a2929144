import type { Part } from '../../../src/engine/requests/side-by-side.ts'
import { type Fields, recordsIn } from '../../../src/results/is-record.ts'

const username = (person: unknown): unknown =>
  (person as Fields | null)?.username ?? ((person as Fields | null)?.user as Fields | undefined)?.username

/**
 * Who approved, and which approvals are missing.
 * @param approvals the merge request's approvals
 * @param rules the state of its approval rules, which only some editions have
 */
export function approvalsOf(approvals: unknown, rules: Part<unknown>): Fields {
  const { approved, approvals_required, approvals_left, approved_by, user_can_approve, user_has_approved } =
    (approvals ?? {}) as Fields
  const missing = recordsIn((rules.value as Fields | undefined)?.rules)
    .filter(({ approved, approvals_required: needed }) => approved === false && Number(needed) > 0)
    .map(({ name, approvals_required: needed, approved_by: by, eligible_approvers: eligible }) => ({
      rule: name,
      approvals_required: needed,
      approved_by: recordsIn(by).map(username),
      may_approve: recordsIn(eligible).slice(0, 20).map(username)
    }))
  return {
    approved,
    approvals_required,
    approvals_left,
    approved_by: recordsIn(approved_by).map(username),
    you_can_approve: user_can_approve,
    you_have_approved: user_has_approved,
    ...(missing.length > 0 && { missing_rules: missing })
  }
}
