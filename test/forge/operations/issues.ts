import {
  groupOf,
  issueIn,
  issueOf,
  LEVEL,
  levelIn,
  lookupProject,
  maySeeIssue,
  projectOf,
  usersById,
  visibleProjects
} from '../access.ts'
import {
  bodyFlag,
  bodyText,
  type Call,
  created,
  forbidden,
  noContent,
  notFound,
  type Operations,
  ok,
  paged,
  queryFlag,
  queryList,
  refuse
} from '../http.ts'
import { setClosed } from '../model/closing.ts'
import { issueFilter, sortedIssues } from '../model/filters.ts'
import { addIssue } from '../model/make.ts'
import {
  applyLabels,
  assigneeIds,
  dueProblem,
  endTodosOfPlanner,
  milestoneOf,
  requireTitle
} from '../model/noteables.ts'
import { assign, mention } from '../model/todos.ts'
import { presentIssue, presentLink, presentLinked } from '../present/issue.ts'
import type { Issue, IssueLink, Project } from '../types.ts'

const list = (call: Call, projects: Project[], defaultScope: string) => {
  const assignees = queryList(call, 'assignee_username') ?? []
  if (call.state.edition === 'ce' && assignees.length > 1)
    throw refuse(400, `allows one value, but found ${assignees.length}: ${assignees.join(', ')}`)
  const keep = issueFilter(call, defaultScope)
  const rows = projects
    .flatMap(project => project.issues)
    .filter(issue => maySeeIssue(call.user, issue) && keep(issue))
  const labelDetails = queryFlag(call, 'with_labels_details')
  return paged(call, sortedIssues(call, rows), issue => presentIssue(call.state, issue, { labelDetails }))
}

/**
 * Applies the fields that only reporters may set: all except the title. Guests' values are dropped (docs: permissions).
 */
const applyFields = (call: Call, issue: Issue) => {
  const { body, state } = call
  issue.confidential = bodyFlag(call, 'confidential') ?? issue.confidential
  if ('description' in body) {
    const before = issue.description ?? ''
    issue.description = bodyText(call, 'description') ?? null
    mention(state, issue, issue.description ?? '', { author: call.user }, before)
  }
  issue.discussionLocked = bodyFlag(call, 'discussion_locked') ?? issue.discussionLocked
  issue.type = bodyText(call, 'issue_type') ?? issue.type
  issue.severity = bodyText(call, 'severity') ?? issue.severity
  if (levelIn(call.user, issue.project) < LEVEL.reporter) return
  const assignees = assigneeIds(call)
  if (assignees) assign(state, issue, usersById(state, assignees), call.user)
  if ('due_date' in body) issue.dueDate = bodyText(call, 'due_date') || null
  if ('weight' in body && state.edition === 'ee')
    issue.weight = body.weight === null ? null : Number(body.weight)
  const milestone = milestoneOf(call, issue.project)
  if (milestone !== undefined) issue.milestone = milestone
  applyLabels(call, issue)
}

const create = (call: Call) => {
  const project = projectOf(call)
  const title = requireTitle(bodyText(call, 'title'))
  // Throws for a wrong milestone before anything is created.
  milestoneOf(call, project)
  const issue = addIssue(call.state, project, { title, author: call.user })
  applyFields(call, issue)
  return created(presentIssue(call.state, issue))
}

const update = (call: Call) => {
  const issue = issueOf(call)
  const involved = issue.author === call.user || issue.assignees.includes(call.user)
  if (!involved && levelIn(call.user, issue.project) < LEVEL.reporter) throw forbidden()
  const problem = dueProblem(issue.planning.startDate, bodyText(call, 'due_date') || null)
  if (problem) throw refuse(400, { due_date: [problem] })
  milestoneOf(call, issue.project)
  if ('title' in call.body) issue.title = requireTitle(bodyText(call, 'title'))
  endTodosOfPlanner(call, issue)
  applyFields(call, issue)
  const event = bodyText(call, 'state_event')
  if (event) setClosed(call.state, issue, call.user, event === 'close')
  issue.updatedAt = call.state.time()
  return ok(presentIssue(call.state, issue))
}

const linksOf = (call: Call, issue: Issue) =>
  call.state.links.filter(({ source, target }) => source === issue || target === issue)

const linkOf = (call: Call, issue: Issue): IssueLink => {
  const found = linksOf(call, issue).find(link => String(link.id) === call.params.issue_link_id)
  if (!found) throw notFound('Issue Link')
  return found
}

/** Creates a link. It needs the right to admin both issues: reporter (docs: issue links API). */
const createLink = (call: Call) => {
  const source = issueOf(call, LEVEL.reporter)
  const project = lookupProject(call, String(call.body.target_project_id))
  const target = issueIn(call, project, Number(call.body.target_issue_iid))
  if (levelIn(call.user, project) < LEVEL.reporter) throw forbidden()
  if (source === target) throw refuse(422, `#${target.iid} cannot be added: cannot be related to itself`)
  if (linksOf(call, source).some(link => link.source === target || link.target === target))
    throw refuse(409, 'Issue(s) already assigned')
  const type = bodyText(call, 'link_type') ?? 'relates_to'
  const link = { id: call.state.nextId('link'), source, target, type, createdAt: call.state.time() }
  call.state.links.push(link)
  return created(presentLink(call.state, link))
}

export const issueOperations: Operations = {
  list_issues: call => list(call, visibleProjects(call.state, call.user), 'created_by_me'),
  list_project_issues: call => list(call, [projectOf(call)], 'all'),
  list_group_issues: call => {
    const group = groupOf(call)
    const projects = visibleProjects(call.state, call.user).filter(project => project.group === group)
    return list(call, projects, 'all')
  },
  create_issue: create,
  get_issue: call => ok(presentIssue(call.state, issueOf(call))),
  update_issue: update,
  delete_issue: call => {
    const issue = issueOf(call, LEVEL.owner)
    issue.project.issues = issue.project.issues.filter(other => other !== issue)
    call.state.links = call.state.links.filter(({ source, target }) => source !== issue && target !== issue)
    call.state.todos = call.state.todos.filter(({ target }) => target !== issue)
    return noContent()
  },
  list_issue_links: call => {
    const issue = issueOf(call)
    return ok(linksOf(call, issue).map(link => presentLinked(call.state, link, issue)))
  },
  create_issue_link: createLink,
  get_issue_link: call => ok(presentLink(call.state, linkOf(call, issueOf(call)))),
  delete_issue_link: call => {
    const link = linkOf(call, issueOf(call, LEVEL.reporter))
    call.state.links = call.state.links.filter(other => other !== link)
    // Answers 200 with the link, unlike every other delete.
    return ok(presentLink(call.state, link))
  }
}
