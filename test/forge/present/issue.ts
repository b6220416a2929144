import type { ForgeState } from '../state.ts'
import type { Issue, IssueLink, MergeRequest, Todo } from '../types.ts'
import {
  labelsOf,
  presentMergeRequestBasic,
  referencesOf,
  taskStatus,
  timeStats,
  userNotes,
  votes
} from './merge-request.ts'
import { presentMilestone } from './plan.ts'
import { presentProjectIdentity, projectUrl } from './project.ts'
import { presentUser, presentUserOrNull } from './user.ts'

export const presentIssue = (state: ForgeState, issue: Issue, options: { labelDetails?: boolean } = {}) => {
  const { project, assignees } = issue
  const api = `${state.url}/api/v4/projects/${project.id}/issues/${issue.iid}`
  const tasks = taskStatus(issue.description)
  const blocking = state.links.filter(
    link =>
      (link.source === issue && link.type === 'blocks') ||
      (link.target === issue && link.type === 'is_blocked_by')
  )
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: project.id,
    title: issue.title,
    description: issue.description,
    state: issue.state,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    closed_by: presentUserOrNull(state, issue.closedBy),
    labels: labelsOf(issue, options.labelDetails ?? false),
    milestone: presentMilestone(state, project, issue.milestone),
    assignees: assignees.map(user => presentUser(state, user)),
    author: presentUser(state, issue.author),
    type: issue.type.toUpperCase(),
    assignee: presentUserOrNull(state, assignees[0] ?? null),
    user_notes_count: userNotes(issue),
    merge_requests_count: 0,
    upvotes: votes(issue, 'thumbsup'),
    downvotes: votes(issue, 'thumbsdown'),
    start_date: null,
    due_date: issue.dueDate,
    confidential: issue.confidential,
    discussion_locked: issue.discussionLocked,
    issue_type: issue.type,
    web_url: `${projectUrl(state, project)}/-/issues/${issue.iid}`,
    time_stats: timeStats(issue),
    task_completion_status: tasks,
    ...(state.edition === 'ee' && { weight: issue.weight }),
    blocking_issues_count: blocking.length,
    has_tasks: tasks.count > 0,
    task_status:
      tasks.count > 0 ? `${tasks.completed_count} of ${tasks.count} checklist items completed` : '',
    _links: {
      self: api,
      notes: `${api}/notes`,
      award_emoji: `${api}/award_emoji`,
      project: `${state.url}/api/v4/projects/${project.id}`,
      closed_as_duplicate_of: null
    },
    references: referencesOf(issue),
    severity: issue.severity,
    subscribed: true,
    moved_to_id: issue.movedTo?.id ?? null,
    imported: false,
    imported_from: 'none',
    service_desk_reply_to: null,
    epic_iid: null,
    epic: null,
    iteration: null,
    health_status: null
  }
}

/** A link as a record of its own. */
export const presentLink = (state: ForgeState, link: IssueLink) => ({
  id: link.id,
  source_issue: presentIssue(state, link.source),
  target_issue: presentIssue(state, link.target),
  link_type: link.type
})

const INVERSE: Record<string, string> = { blocks: 'is_blocked_by', is_blocked_by: 'blocks' }

/** The issue at the other end of a link, as the list of links shows it. The link's type is seen from this end. */
export const presentLinked = (state: ForgeState, link: IssueLink, from: Issue) => ({
  ...presentIssue(state, link.source === from ? link.target : link.source),
  issue_link_id: link.id,
  link_type: link.source === from ? link.type : (INVERSE[link.type] ?? link.type),
  link_created_at: link.createdAt,
  link_updated_at: link.createdAt
})

const targetRecord = (state: ForgeState, target: Issue | MergeRequest) =>
  target.kind === 'Issue' ? presentIssue(state, target) : presentMergeRequestBasic(state, target)

export const presentTodo = (state: ForgeState, todo: Todo) => {
  const { project } = todo.target
  const path = todo.target.kind === 'Issue' ? 'issues' : 'merge_requests'
  return {
    id: todo.id,
    project: presentProjectIdentity(project),
    author: presentUser(state, todo.author),
    action_name: todo.action,
    target_type: todo.target.kind,
    target: targetRecord(state, todo.target),
    target_url: `${projectUrl(state, project)}/-/${path}/${todo.target.iid}`,
    body: todo.body,
    state: todo.state,
    created_at: todo.createdAt,
    updated_at: todo.updatedAt
  }
}
