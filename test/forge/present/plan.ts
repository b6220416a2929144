import { groupPath } from '../model/places.ts'
import type { ForgeState } from '../state.ts'
import type { Group, Iteration, Label, Milestone, Project } from '../types.ts'
import { groupUrl, projectUrl } from './project.ts'

export const presentMilestone = (state: ForgeState, place: Project | Group, milestone: Milestone | null) => {
  if (milestone === null) return null
  const { iid, dueDate } = milestone
  // A milestone is shown as that of its owner, so a group's milestone keeps the group's address in projects below it.
  const owner = ownerOf(place, milestone)
  const [url, of] =
    'group' in owner
      ? [projectUrl(state, owner), { project_id: owner.id }]
      : [groupUrl(state, owner), { group_id: owner.id }]
  return {
    id: milestone.id,
    iid,
    ...of,
    title: milestone.title,
    description: milestone.description,
    state: milestone.state,
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    due_date: dueDate,
    start_date: milestone.startDate,
    expired: dueDate !== null && dueDate < state.time().slice(0, 10),
    web_url: `${url}/-/milestones/${iid}`
  }
}

const ownerOf = (place: Project | Group, milestone: Milestone): Project | Group => {
  if (place.milestones.includes(milestone)) return place
  const above = 'group' in place ? place.group : place.parent
  return above ? ownerOf(above, milestone) : place
}

/** A label inside another record, with_labels_details. */
export const presentLabel = (label: Label) => ({
  id: label.id,
  name: label.name,
  color: label.color,
  description: label.description,
  description_html: label.description ?? '',
  text_color: '#FFFFFF',
  archived: label.archived
})

/** A label in the list of labels. In a project, it says whether the label is the project's own. */
export const presentOwnLabel = (place: Project | Group, label: Label) => ({
  ...presentLabel(label),
  subscribed: false,
  ...('group' in place && { priority: label.priority, is_project_label: place.labels.includes(label) })
})

const UPCOMING = 1
const CURRENT = 2
const CLOSED = 3

/** The forge's number for upcoming, current or closed. */
export const iterationState = (state: ForgeState, { startDate, dueDate }: Iteration): number => {
  const today = state.time().slice(0, 10)
  if (dueDate < today) return CLOSED
  return startDate > today ? UPCOMING : CURRENT
}

export const presentIteration = (state: ForgeState, group: Group, iteration: Iteration) => ({
  id: iteration.id,
  iid: iteration.iid,
  sequence: iteration.iid,
  group_id: group.id,
  title: null,
  description: null,
  state: iterationState(state, iteration),
  created_at: state.time(),
  updated_at: state.time(),
  start_date: iteration.startDate,
  due_date: iteration.dueDate,
  web_url: `${state.url}/groups/${groupPath(group)}/-/iterations/${iteration.id}`
})
