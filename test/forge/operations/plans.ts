import { issueOf, LEVEL, levelIn, lookupProject, mergeRequestOf } from '../access.ts'
import {
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
  queryText,
  refuse
} from '../http.ts'
import { closedBy } from '../model/closing.ts'
import { isColor } from '../model/colors.ts'
import { addIssue } from '../model/make.ts'
import { addSystemNote } from '../model/notes.ts'
import { lineage } from '../model/places.ts'
import { addLabel, addMilestone, groupsAbove, mentions, milestonesOf, secondsOf } from '../model/plans.ts'
import { within } from '../model/rows.ts'
import { presentIssue } from '../present/issue.ts'
import { presentMergeRequestBasic, timeStats } from '../present/merge-request.ts'
import { iterationState, presentIteration, presentMilestone, presentOwnLabel } from '../present/plan.ts'
import type { Group, Label, Milestone, Noteable, Project } from '../types.ts'
import { ofBoth, type Place } from './both.ts'

/** The projects below a place, for counts and descendants. */
const below = (call: Call, place: Place): Project[] =>
  'group' in place ? [place] : call.state.projects.filter(({ group }) => lineage(group).includes(place))

const listLabels = (call: Call, place: Place) => {
  const ancestors =
    queryText(call, 'include_ancestor_groups') !== 'false' && !queryFlag(call, 'only_group_labels')
  const descendants = queryFlag(call, 'include_descendant_groups')
    ? call.state.groups.filter(group => group !== place && lineage(group).includes(place as Group))
    : []
  const search = queryText(call, 'search')?.toLowerCase() ?? ''
  const rows = [place, ...(ancestors ? groupsAbove(place) : []), ...descendants]
    .concat(queryText(call, 'only_group_labels') === 'false' ? below(call, place) : [])
    .flatMap(({ labels }) => labels)
    .filter(
      ({ name, archived }) =>
        name.toLowerCase().includes(search) && (!queryFlag(call, 'archived') || archived)
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const count = (label: Label, kind: 'issues' | 'mergeRequests', state: string) =>
    below(call, place)
      .flatMap(project => project[kind] as { labels: string[]; state: string }[])
      .filter(item => item.labels.includes(label.name) && item.state === state).length
  return paged(call, rows, label => ({
    ...presentOwnLabel(place, label),
    ...(queryFlag(call, 'with_counts') && {
      open_issues_count: count(label, 'issues', 'opened'),
      closed_issues_count: count(label, 'issues', 'closed'),
      open_merge_requests_count: count(label, 'mergeRequests', 'opened')
    })
  }))
}

const checkLabel = (call: Call, place: Place, name: string | null | undefined, own?: Label) => {
  const color = bodyText(call, 'color')
  if (name?.includes(',')) throw refuse(400, { title: ['is invalid'] })
  if (color && !isColor(color)) throw refuse(400, { color: ['must be a valid color code'] })
  const taken = [place, ...groupsAbove(place)].flatMap(({ labels }) => labels)
  if (taken.some(label => label !== own && label.name === name)) throw refuse(409, 'Label already exists')
}

const createLabel = (call: Call, place: Place) => {
  const name = bodyText(call, 'name') ?? ''
  checkLabel(call, place, name)
  const label = addLabel(call.state, place, {
    name,
    color: bodyText(call, 'color') ?? '#6699cc',
    description: bodyText(call, 'description') ?? null,
    priority: call.body.priority === undefined ? null : Number(call.body.priority)
  })
  return created(presentOwnLabel(place, label))
}

/** Finds a label by id first, then by name, but never one of a group above (lib/api/helpers/label_helpers.rb). */
const labelOf = (call: Call, place: Place): Label => {
  const wanted = call.params.label
  const found =
    place.labels.find(({ id }) => String(id) === wanted) ?? place.labels.find(({ name }) => name === wanted)
  if (!found) throw notFound('Label')
  return found
}

const updateLabel = (call: Call, place: Place) => {
  const label = labelOf(call, place)
  const { body } = call
  const name = bodyText(call, 'new_name') ?? label.name
  checkLabel(call, place, name, label)
  for (const project of below(call, place))
    for (const item of [...project.issues, ...project.mergeRequests])
      item.labels = item.labels.map(other => (other === label.name ? name : other))
  label.name = name
  label.color = bodyText(call, 'color') ?? label.color
  if ('description' in body) label.description = bodyText(call, 'description') ?? null
  if ('priority' in body) label.priority = body.priority === null ? null : Number(body.priority)
  if ('archived' in body) label.archived = body.archived === true
  return ok(presentOwnLabel(place, label))
}

const deleteLabel = (call: Call, place: Place) => {
  const label = labelOf(call, place)
  if (label.locked) throw refuse(400, '400 Bad request - Label is locked and was not removed')
  place.labels = place.labels.filter(other => other !== label)
  for (const project of below(call, place))
    for (const item of [...project.issues, ...project.mergeRequests])
      item.labels = item.labels.filter(name => name !== label.name)
  return noContent()
}

const listMilestones = (call: Call, place: Place) => {
  const [state, title] = [queryText(call, 'state') ?? 'all', queryText(call, 'title')]
  const search = queryText(call, 'search')?.toLowerCase() ?? ''
  const iids = queryList(call, 'iids')
  const descendants = queryFlag(call, 'include_descendants')
    ? call.state.groups.filter(group => group !== place && lineage(group).includes(place as Group))
    : []
  const places = [place, ...(queryFlag(call, 'include_ancestors') ? groupsAbove(place) : []), ...descendants]
  const rows = places.flatMap(owner =>
    owner.milestones
      .filter(
        milestone =>
          (state === 'all' || milestone.state === state) &&
          (!title || milestone.title === title) &&
          milestone.title.toLowerCase().includes(search) &&
          (iids?.includes(String(milestone.iid)) ?? true) &&
          within(call, 'updated', Date.parse(milestone.updatedAt))
      )
      .map(milestone => ({ owner, milestone }))
  )
  return paged(call, rows, ({ owner, milestone }) => presentMilestone(call.state, owner, milestone))
}

const checkMilestone = (
  place: Place,
  milestone: Pick<Milestone, 'title' | 'startDate' | 'dueDate'>,
  own?: Milestone
) => {
  const { title, startDate, dueDate } = milestone
  if (title.trim() === '') throw refuse(400, 'Failed to create milestone {:title=>["can\'t be blank"]}')
  const taken = [place, ...groupsAbove(place)].flatMap(({ milestones }) => milestones)
  if (taken.some(other => other !== own && other.title === title))
    throw refuse(
      400,
      'Failed to create milestone {:title=>["already being used for another group or project milestone."]}'
    )
  if (startDate && dueDate && dueDate < startDate)
    throw refuse(400, 'Failed to create milestone {:due_date=>["must be greater than start date"]}')
}

const createMilestone = (call: Call, place: Place) => {
  const parts = {
    title: bodyText(call, 'title') ?? '',
    description: bodyText(call, 'description') ?? '',
    startDate: bodyText(call, 'start_date') ?? null,
    dueDate: bodyText(call, 'due_date') ?? null
  }
  checkMilestone(place, parts)
  return created(presentMilestone(call.state, place, addMilestone(call.state, place, parts)))
}

const milestoneIn = (call: Call, place: Place): Milestone => {
  const found = place.milestones.find(({ id }) => String(id) === call.params.milestone_id)
  if (!found) throw notFound('Milestone')
  return found
}

const updateMilestone = (call: Call, place: Place) => {
  const milestone = milestoneIn(call, place)
  const text = (name: string, kept: string | null) =>
    name in call.body ? (bodyText(call, name) ?? null) : kept
  const changed = {
    title: text('title', milestone.title) ?? '',
    description: text('description', milestone.description) ?? '',
    startDate: text('start_date', milestone.startDate) || null,
    dueDate: text('due_date', milestone.dueDate) || null
  }
  checkMilestone(place, changed, milestone)
  const event = bodyText(call, 'state_event')
  const state = event ? (event === 'close' ? 'closed' : 'active') : milestone.state
  Object.assign(milestone, changed, { state, updatedAt: call.state.time() })
  return ok(presentMilestone(call.state, place, milestone))
}

const deleteMilestone = (call: Call, place: Place) => {
  const milestone = milestoneIn(call, place)
  place.milestones = place.milestones.filter(other => other !== milestone)
  for (const project of below(call, place))
    for (const item of [...project.issues, ...project.mergeRequests])
      if (item.milestone === milestone) item.milestone = null
  return noContent()
}

/** Lists iterations. They belong to groups, and need the Premium tier. */
const listIterations = (call: Call, place: Place) => {
  if (call.state.edition === 'ce') throw notFound('Iterations')
  const numbers: Record<string, number[]> = {
    opened: [1, 2],
    upcoming: [1],
    current: [2],
    closed: [3],
    all: [1, 2, 3]
  }
  const wanted = numbers[queryText(call, 'state') ?? 'all'] ?? []
  const rows = ('group' in place ? lineage(place.group) : lineage(place)).flatMap(group =>
    group.iterations
      .filter(iteration => wanted.includes(iterationState(call.state, iteration)))
      .map(iteration => ({ group, iteration }))
  )
  return paged(call, rows, ({ group, iteration }) => presentIteration(call.state, group, iteration))
}

const places = ofBoth((kind, find) => ({
  [`list_${kind}_labels`]: call => listLabels(call, find(call)),
  [`create_${kind}_label`]: call => createLabel(call, find(call, LEVEL.reporter)),
  [`update_${kind}_label`]: call => updateLabel(call, find(call, LEVEL.reporter)),
  [`delete_${kind}_label`]: call => deleteLabel(call, find(call, LEVEL.reporter)),
  [`list_${kind}_milestones`]: call => listMilestones(call, find(call)),
  [`get_${kind}_milestone`]: call => {
    const place = find(call)
    return ok(presentMilestone(call.state, place, milestoneIn(call, place)))
  },
  [`create_${kind}_milestone`]: call => createMilestone(call, find(call, LEVEL.reporter)),
  [`update_${kind}_milestone`]: call => updateMilestone(call, find(call, LEVEL.reporter)),
  [`delete_${kind}_milestone`]: call => deleteMilestone(call, find(call, LEVEL.reporter)),
  [`list_${kind}_iterations`]: call => listIterations(call, find(call))
}))

const durationIn = (call: Call) => secondsOf(bodyText(call, 'duration') ?? '')

/** Tracks time. A duration that cannot be read sets an estimate of 0, and is refused as time spent. */
const tracked = (kind: string, find: (call: Call, level?: number) => Noteable): Operations => ({
  [`${kind}_time_estimate`]: call => {
    const item = find(call, LEVEL.reporter)
    item.timeEstimate = Math.max(0, durationIn(call) ?? 0)
    return ok(timeStats(item))
  },
  [`${kind}_reset_time_estimate`]: call => {
    const item = find(call, LEVEL.reporter)
    item.timeEstimate = 0
    return ok(timeStats(item))
  },
  [`${kind}_add_spent_time`]: call => {
    const item = find(call, LEVEL.reporter)
    const seconds = durationIn(call)
    if (!seconds || item.timeSpent + seconds < 0)
      throw refuse(400, { spent_at: ['Time to subtract exceeds the total time spent'] })
    item.timeSpent += seconds
    return created(timeStats(item))
  },
  [`${kind}_reset_spent_time`]: call => {
    const item = find(call, LEVEL.reporter)
    item.timeSpent = 0
    return ok(timeStats(item))
  }
})

/**
 * Moves an issue. The old issue is closed and refers to the new one (docs: move an issue). The new issue keeps labels
 * and a milestone of the same title in the target project, and assignees who may see it there (src:
 * Issues::MoveService, AttributesRewriter).
 */
const move = (call: Call) => {
  const { state, user } = call
  const issue = issueOf(call)
  const target = lookupProject(call, String(call.body.to_project_id))
  if ([issue.project, target].some(project => levelIn(user, project) < LEVEL.reporter))
    throw refuse(400, 'Cannot move issue due to insufficient permissions!')
  if (issue.movedTo) throw refuse(400, 'Cannot move issue due to insufficient permissions!')
  if (target === issue.project) throw refuse(400, 'Cannot move issue to project it originates from!')
  const { title, description, author, labels, type, confidential, dueDate, weight } = issue
  const there = [target, ...groupsAbove(target)].flatMap(place => place.labels)
  const moved = addIssue(state, target, {
    title,
    description,
    author,
    assignees: issue.assignees.filter(person => levelIn(person, target) > 0),
    labels: labels.filter(name => there.some(label => label.name === name)),
    milestone: milestonesOf(target).find(({ title }) => title === issue.milestone?.title) ?? null,
    type,
    confidential,
    dueDate,
    weight
  })
  Object.assign(issue, { movedTo: moved, state: 'closed', closedAt: state.time(), closedBy: user })
  addSystemNote(state, issue, user, `moved to #${moved.iid}`)
  return created(presentIssue(state, moved))
}

export const planOperations: Operations = {
  ...places,
  ...tracked('issue', issueOf),
  ...tracked('merge_request', mergeRequestOf),
  list_issue_related_merge_requests: call =>
    paged(call, mentions(issueOf(call)), request => presentMergeRequestBasic(call.state, request)),
  list_issue_closed_by: call => {
    const issue = issueOf(call)
    const rows = issue.project.mergeRequests.filter(request => closedBy(request, call.user).includes(issue))
    return paged(call, rows, request => presentMergeRequestBasic(call.state, request))
  },
  move_issue: call => {
    if (call.user.bot) throw forbidden()
    return move(call)
  }
}
