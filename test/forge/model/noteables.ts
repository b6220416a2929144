import { bodyList, bodyText, type Call, refuse } from '../http.ts'
import type { Issue, MergeRequest, Milestone, Noteable, Project } from '../types.ts'
import { addLabel, groupsAbove, milestonesOf } from './plans.ts'
import { endTodos } from './todos.ts'

/** Creates unknown labels when they are first used, as the forge does. */
const ensureLabels = (call: Call, project: Project, names: string[]) => {
  for (const name of names) {
    if ([project, ...groupsAbove(project)].some(({ labels }) => labels.some(label => label.name === name)))
      continue
    addLabel(call.state, project, { name })
  }
}

/** Applies the label arguments: labels replaces all (an empty value clears), add_labels and remove_labels change. */
export const applyLabels = (call: Call, owner: Noteable) => {
  const replaced = 'labels' in call.body ? (bodyList(call, 'labels') ?? []) : owner.labels
  const removed = bodyList(call, 'remove_labels') ?? []
  const added = bodyList(call, 'add_labels') ?? []
  owner.labels = [...new Set([...replaced, ...added])].filter(label => !removed.includes(label))
  ensureLabels(call, owner.project, owner.labels)
}

const PLANNING = /^(?:(?:add_|remove_)?labels|assignee_ids?|milestone(?:_id)?)$/

/** Ends the caller's own to-dos for an item when the caller changes its assignees, labels or milestone. */
export const endTodosOfPlanner = (call: Call, owner: Issue | MergeRequest) => {
  if (Object.keys(call.body).some(name => PLANNING.test(name))) endTodos(call.state, owner, call.user)
}

/** The assignees in a body. assignee_id is the older, single form; 0 or an empty value clears. */
export const assigneeIds = (call: Call): string[] | undefined => {
  const { assignee_ids: several, assignee_id: one } = call.body
  if (several !== undefined) return bodyList(call, 'assignee_ids') ?? []
  return one === undefined ? undefined : [String(one)]
}

/** The milestone in a body: undefined leaves it, null clears it (milestone_id 0 or empty). */
export const milestoneOf = (call: Call, project: Project): Milestone | null | undefined => {
  if (!('milestone_id' in call.body) && !('milestone' in call.body)) return undefined
  const title = bodyText(call, 'milestone')
  if (title) return milestonesOf(project).find(candidate => candidate.title === title) ?? null
  const id = bodyText(call, 'milestone_id')
  if (!id || id === '0') return null
  const found = milestonesOf(project).find(candidate => String(candidate.id) === id)
  if (!found) throw refuse(400, { milestone_id: ['is invalid'] })
  return found
}

/** Checks that a title is neither blank nor longer than 255 characters. */
export const requireTitle = (title: string | null | undefined) => {
  if (!title?.trim()) throw refuse(400, { title: ["can't be blank"] })
  if (title.length > 255) throw refuse(400, { title: ['is too long (maximum is 255 characters)'] })
  return title
}

/** @returns why an issue cannot be due on that day; undefined if it can */
export const dueProblem = (start: string | null, due: string | null): string | undefined =>
  start !== null && due !== null && due < start ? 'must be greater than or equal to start date' : undefined
