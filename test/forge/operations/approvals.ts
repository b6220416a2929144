import { LEVEL, levelIn, usersById } from '../access.ts'
import {
  bodyFlag,
  bodyList,
  bodyText,
  type Call,
  created,
  ForgeError,
  forbidden,
  noContent,
  notFound,
  type Operations,
  ok,
  paged,
  recordNotFound,
  refuse,
  unauthorized
} from '../http.ts'
import { approvalStanding, approverIds, projectStanding, ruleStanding } from '../model/approvals.ts'
import { publishDrafts } from '../model/drafts.ts'
import { headOf, mergeStatus } from '../model/merge-requests.ts'
import { addSystemNote } from '../model/notes.ts'
import { presentGroup } from '../present/project.ts'
import { presentUser } from '../present/user.ts'
import type { ApprovalRule, MergeRequest } from '../types.ts'
import { currentMergeRequest } from './merge-requests.ts'

/** The people who may approve: developers, but not the author (docs: approval settings). */
const eligible = (call: Call, request: MergeRequest) =>
  call.state.users.filter(
    user => levelIn(user, request.project) >= LEVEL.developer && !user.admin && user !== request.author
  )

const presentApprovals = (call: Call, request: MergeRequest) => {
  const { required, left, approved } = approvalStanding(request)
  const mine = request.approvals.some(({ user }) => user === call.user)
  const common = {
    user_has_approved: mine,
    user_can_approve: !mine && eligible(call, request).includes(call.user),
    approved,
    approved_by: request.approvals.map(({ user, at }) => ({
      user: presentUser(call.state, user),
      approved_at: at
    }))
  }
  if (call.state.edition === 'ce') return common
  return {
    id: request.id,
    iid: request.iid,
    project_id: request.project.id,
    title: request.title,
    description: request.description,
    state: request.state,
    created_at: request.createdAt,
    updated_at: request.updatedAt,
    merge_status: mergeStatus(request) === 'conflict' ? 'cannot_be_merged' : 'can_be_merged',
    approvals_required: required,
    approvals_left: left,
    require_password_to_approve: request.project.settings.approvalPassword !== null,
    ...common,
    suggested_approvers: [],
    approvers: [],
    approver_groups: [],
    has_approval_rules: required > 0,
    multiple_approval_rules_available: true
  }
}

const presentRule = (call: Call, request: MergeRequest) => {
  const people = eligible(call, request).map(user => presentUser(call.state, user))
  return {
    id: request.project.id,
    name: 'Developers',
    rule_type: 'regular',
    report_type: null,
    section: null,
    eligible_approvers: people,
    approvals_required: request.project.settings.approvalsRequired,
    users: people,
    groups: [],
    contains_hidden_groups: false,
    source_rule: null,
    overridden: false
  }
}

/** Routes that exist only in the paid editions: approval_state and the rules. */
const paid = (call: Call): MergeRequest => {
  const request = currentMergeRequest(call)
  if (call.state.edition === 'ce') throw new ForgeError(404, { error: '404 Not Found' })
  return request
}

const presentOwnRule = (call: Call, request: MergeRequest, rule: ApprovalRule) => {
  const { id, name, required, users, groups } = rule
  const ids = approverIds(request, rule)
  const people = call.state.users.filter(user => ids.includes(user.id))
  return {
    id,
    name,
    rule_type: 'regular',
    report_type: null,
    section: null,
    eligible_approvers: people.map(user => presentUser(call.state, user)),
    approvals_required: required,
    users: users.map(user => presentUser(call.state, user)),
    groups: groups.map(group => presentGroup(call.state, group)),
    contains_hidden_groups: false,
    source_rule: null,
    overridden: false
  }
}

const standingsOf = (call: Call, request: MergeRequest) => [
  ...(request.project.settings.approvalsRequired > 0
    ? [{ rule: presentRule(call, request), standing: projectStanding(request) }]
    : []),
  ...request.rules.map(rule => ({
    rule: presentOwnRule(call, request, rule),
    standing: ruleStanding(request, rule)
  }))
]

const rulesOf = (call: Call, request: MergeRequest) => standingsOf(call, request).map(({ rule }) => rule)

/** Only developers may write rules (docs: merge request approval settings). */
const writable = (call: Call): MergeRequest => {
  const request = paid(call)
  if (levelIn(call.user, request.project) < LEVEL.developer) throw forbidden()
  return request
}

const ownRuleOf = (call: Call, request: MergeRequest): ApprovalRule => {
  const rule = request.rules.find(({ id }) => String(id) === call.params.approval_rule_id)
  if (!rule) throw recordNotFound()
  return rule
}

/** Changes only the fields that the body has. */
const applyRule = (call: Call, request: MergeRequest, rule: ApprovalRule) => {
  rule.name = bodyText(call, 'name') ?? rule.name
  if ('approvals_required' in call.body) rule.required = Number(call.body.approvals_required)
  const users = bodyList(call, 'user_ids')
  if (users) rule.users = usersById(call.state, users)
  const groups = bodyList(call, 'group_ids')
  if (groups) rule.groups = call.state.groups.filter(({ id }) => groups.includes(String(id)))
  return presentOwnRule(call, request, rule)
}

const passwordFits = (call: Call, request: MergeRequest) => {
  const expected = request.project.settings.approvalPassword
  return expected === null || bodyText(call, 'approval_password') === expected
}

const approve = (call: Call) => {
  const request = currentMergeRequest(call)
  if (levelIn(call.user, request.project) < LEVEL.developer) throw forbidden()
  const sha = bodyText(call, 'sha')
  if (sha && sha !== headOf(request))
    throw refuse(409, `SHA does not match HEAD of source branch: ${headOf(request)}`)
  const twice = request.approvals.some(({ user }) => user === call.user)
  const accepted = eligible(call, request).includes(call.user) && !twice && request.state === 'opened'
  // The forge answers 401 for every reason not to accept an approval.
  if (!accepted || !passwordFits(call, request)) throw unauthorized()
  request.approvals.push({ user: call.user, at: call.state.time() })
  request.reviewed.delete(call.user)
  addSystemNote(call.state, request, call.user, 'approved this merge request')
  if (bodyFlag(call, 'publish_review')) publishDrafts(call.state, request, call.user)
  return created(presentApprovals(call, request))
}

const unapprove = (call: Call) => {
  const request = currentMergeRequest(call)
  const mine = request.approvals.find(({ user }) => user === call.user)
  if (!mine) throw notFound('Approval')
  request.approvals = request.approvals.filter(approval => approval !== mine)
  addSystemNote(call.state, request, call.user, 'unapproved this merge request')
  return created(presentApprovals(call, request))
}

export const approvalOperations: Operations = {
  approve_merge_request: approve,
  unapprove_merge_request: unapprove,
  get_merge_request_approvals: call => ok(presentApprovals(call, currentMergeRequest(call))),
  get_merge_request_approval_state: call => {
    const request = paid(call)
    const rules = standingsOf(call, request).map(({ rule, standing: { by, approved } }) => ({
      ...rule,
      code_owner: false,
      approved_by: by.map(user => presentUser(call.state, user)),
      approved
    }))
    return ok({ approval_rules_overwritten: false, rules })
  },
  list_merge_request_approval_rules: call => {
    const request = paid(call)
    return paged(call, rulesOf(call, request), rule => rule)
  },
  create_merge_request_approval_rule: call => {
    const request = writable(call)
    if (request.rules.some(({ name }) => name === bodyText(call, 'name')))
      throw refuse(400, { name: ['has already been taken'] })
    const id = call.state.nextId('approvalRule')
    const rule: ApprovalRule = { id, name: '', required: 0, users: [], groups: [] }
    request.rules.push(rule)
    return created(applyRule(call, request, rule))
  },
  update_merge_request_approval_rule: call => {
    const request = writable(call)
    return ok(applyRule(call, request, ownRuleOf(call, request)))
  },
  delete_merge_request_approval_rule: call => {
    const request = writable(call)
    const rule = ownRuleOf(call, request)
    request.rules = request.rules.filter(other => other !== rule)
    return noContent()
  },
  get_merge_request_approval_rule: call => {
    const request = paid(call)
    const rule = rulesOf(call, request).find(({ id }) => String(id) === call.params.approval_rule_id)
    if (!rule) throw recordNotFound()
    return ok(rule)
  }
}
