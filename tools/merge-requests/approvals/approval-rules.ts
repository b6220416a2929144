import { Type } from 'typebox'
import type { Arguments, Check } from '../../../src/engine/arguments/values.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { notWith, someChange } from '../../../src/engine/rows/checks.ts'
import {
  Confirm,
  integer,
  noneIfEmpty,
  optional,
  Page,
  replacing,
  text,
  userIds
} from '../../../src/engine/rows/fields.ts'
import { made } from '../../../src/engine/rows/made-names.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { fieldsOf, isEmptyList } from '../../../src/results/is-record.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { peopleLeftOut } from '../../families/people/people-left-out.ts'
import { mergeRequest } from '../one.ts'

const rules = '/projects/{project_id}/merge_requests/{merge_request_iid}/approval_rules'

/** Ids or paths of groups. The forge is sent ids (engine/names/named.ts). */
const groupIds = (description: string) => Type.Array(Type.String(), { groupNumber: true, description })

/**
 * The notice for a rule that nobody can approve by. A forge accepts such a rule and ignores it. Rules for anybody, or
 * for hidden groups, list no approvers either, and are fine.
 */
function ofNobody(value: unknown): string | undefined {
  const {
    eligible_approvers: people,
    rule_type,
    contains_hidden_groups,
    approvals_required
  } = fieldsOf(value)
  const isOpen = rule_type === 'any_approver' || contains_hidden_groups === true
  return isEmptyList(people) && !isOpen && Number(approvals_required) > 0
    ? 'Nobody may approve by this rule, so it asks for nothing: give user_ids or group_ids; the author alone may not count.'
    : undefined
}

/** Notices about a rule that was set: people who were left out, or nobody who may approve. */
const saidOfRule = (value: unknown, args: Arguments): string | undefined =>
  [peopleLeftOut(value, args), ofNobody(value)].filter(said => said !== undefined).join(' ') || undefined

/** Checks that a new rule has everything it needs. */
const wholeRule: Check = ({ rule_id, name, approvals_required: required }) => {
  if (rule_id === undefined && (name === undefined || required === undefined))
    throw new CallProblem(
      "A new rule takes 'name' and 'approvals_required'; give 'rule_id' to change one (list_merge_request_approval_rules)."
    )
}

const overriding = {
  403: 'It takes the Developer role, and a project that lets merge requests override its approval rules.'
}

export const approvalRuleRows: readonly ToolRow[] = [
  rest({
    name: 'list_merge_request_approval_rules',
    class: 'read',
    title: 'Approval rules',
    summary: 'List its rules, who may approve and how many must.',
    input: Type.Object({ ...mergeRequest, ...Page }),
    request: `GET ${rules}`,
    record: 'approval_rule',
    edition: 'Premium'
  }),
  rest({
    name: 'set_merge_request_approval_rule',
    class: 'write',
    title: 'Set approval rule',
    summary: 'Change the rule rule_id, or make one.',
    input: Type.Object(
      {
        ...mergeRequest,
        rule_id: optional(text()),
        name: optional(noneIfEmpty(made(text('Needed to make one')))),
        approvals_required: optional(integer('Needed to make one')),
        user_ids: optional(replacing(userIds('Replace all: ids or usernames'))),
        group_ids: optional(replacing(groupIds('Replace all: ids or paths'))),
        approval_project_rule_id: optional(text('To make it from'))
      },
      {
        instead: {
          users: 'did you mean "user_ids"?',
          usernames: 'did you mean "user_ids"?',
          groups: 'did you mean "group_ids"?'
        }
      }
    ),
    check: [
      wholeRule,
      notWith('approval_project_rule_id', 'rule_id'),
      someChange('project_id', 'merge_request_iid', 'rule_id')
    ],
    request: [`PUT ${rules}/{rule_id}`, `POST ${rules}`],
    numeric: ['approval_project_rule_id'],
    notice: saidOfRule,
    shape: (value, { rule_id }) => ({
      ...recordOf(value),
      result: rule_id === undefined ? 'created' : 'updated'
    }),
    record: 'approval_rule',
    advice: {
      ...overriding,
      400: [
        [
          /\bname\b.*already been taken/i,
          'To change that rule, give its rule_id, from list_merge_request_approval_rules.'
        ]
      ]
    },
    edition: 'Premium'
  }),
  rest({
    name: 'delete_merge_request_approval_rule',
    class: 'destructive',
    title: 'Delete approval rule',
    summary: 'Delete a rule of this merge request.',
    input: Type.Object({
      ...mergeRequest,
      rule_id: text(),
      confirm: Confirm('name')
    }),
    confirm: { read: `GET ${rules}/{rule_id}`, field: 'name', noun: 'approval rule' },
    request: `DELETE ${rules}/{rule_id}`,
    local: ['confirm'],
    done: 'The approval rule is deleted.',
    advice: overriding,
    edition: 'Premium'
  })
]
