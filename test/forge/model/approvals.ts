import type { ApprovalRule, MergeRequest, User } from '../types.ts'
import { sourcesOf } from './places.ts'

/** Ids of the people who may approve by a rule: its users and the members of its groups, never the author. */
export const approverIds = ({ author }: MergeRequest, { users, groups }: ApprovalRule): number[] => {
  const members = groups.flatMap(sourcesOf).flatMap(({ members }) => [...members.keys()])
  return [...new Set([...users.map(({ id }) => id), ...members])].filter(id => id !== author.id)
}

interface Standing {
  by: User[]
  left: number
  approved: boolean
}

const standing = (by: User[], required: number, candidates = Number.POSITIVE_INFINITY): Standing => {
  const left = Math.max(0, required - by.length)
  // A rule that too few people could ever meet does not block a merge (docs: approval rules, invalid rules).
  return { by, left, approved: left === 0 || candidates < required }
}

/** The standing of the project's own rule, for which everybody's approval counts. */
export const projectStanding = ({ approvals, project }: MergeRequest): Standing =>
  standing(
    approvals.map(({ user }) => user),
    project.settings.approvalsRequired
  )

/** The standing of one of the merge request's rules. */
export const ruleStanding = (request: MergeRequest, rule: ApprovalRule): Standing => {
  const ids = approverIds(request, rule)
  const by = request.approvals.map(({ user }) => user).filter(({ id }) => ids.includes(id))
  return standing(by, rule.required, ids.length)
}

/** The standing of all rules together. */
export const approvalStanding = (request: MergeRequest) => {
  const all = [projectStanding(request), ...request.rules.map(rule => ruleStanding(request, rule))]
  return {
    required: request.rules.reduce(
      (sum, rule) => sum + rule.required,
      request.project.settings.approvalsRequired
    ),
    left: all.reduce((sum, { left }) => sum + left, 0),
    approved: all.every(({ approved }) => approved)
  }
}
