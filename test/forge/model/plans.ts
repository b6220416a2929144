import type { ForgeState } from '../state.ts'
import type { Group, Issue, Iteration, Label, MergeRequest, Milestone, Project } from '../types.ts'
import { lineage } from './places.ts'

/** Creates a label in a project or group. */
export const addLabel = (
  state: ForgeState,
  place: Project | Group,
  parts: Pick<Label, 'name'> & Partial<Label>
): Label => {
  const label: Label = {
    id: state.nextId('label'),
    color: '#6699cc',
    description: null,
    priority: null,
    archived: false,
    locked: false,
    ...parts
  }
  place.labels.push(label)
  return label
}

/** Creates a milestone in a project or group, with an iid that counts there. */
export const addMilestone = (
  state: ForgeState,
  place: Project | Group,
  parts: Pick<Milestone, 'title'> & Partial<Milestone>
): Milestone => {
  const milestone: Milestone = {
    id: state.nextId('milestone'),
    iid: Math.max(0, ...place.milestones.map(({ iid }) => iid)) + 1,
    description: '',
    state: 'active',
    startDate: null,
    dueDate: null,
    createdAt: state.time(),
    updatedAt: state.time(),
    ...parts
  }
  place.milestones.push(milestone)
  return milestone
}

/** Creates an iteration in a group. */
export const addIteration = (
  state: ForgeState,
  group: Group,
  startDate: string,
  dueDate: string
): Iteration => {
  const iteration = { id: state.nextId('iteration'), iid: group.iterations.length + 1, startDate, dueDate }
  group.iterations.push(iteration)
  return iteration
}

/** The groups above a project or group. */
export const groupsAbove = (place: Project | Group): Group[] =>
  'group' in place ? lineage(place.group) : lineage(place).slice(1)

/** The milestones that items of a project may have: its own and those of the groups above it. */
export const milestonesOf = (project: Project): Milestone[] =>
  [project, ...groupsAbove(project)].flatMap(({ milestones }) => milestones)

/** Whether a milestone is open and has begun (docs: milestones as filters, Started). */
const isStarted = ({ state, startDate }: Milestone, today: string): boolean =>
  state === 'active' && startDate !== null && startDate <= today

/** The open milestones that are due next: one of the place, and one of each group above it (Upcoming). */
const upcomingIn = (place: Project | Group, today: string): Milestone[] =>
  [place, ...groupsAbove(place)].flatMap(({ milestones }) =>
    milestones
      .filter(({ state, dueDate }) => state === 'active' && dueDate !== null && dueDate > today)
      .sort((a, b) => a.dueDate!.localeCompare(b.dueDate!))
      .slice(0, 1)
  )

/** Whether a milestone matches one of the words None, Any, Upcoming and Started, for an item of a place. */
export const fitsWord = (
  word: string,
  milestone: Milestone | null,
  place: Project | Group,
  now: number
): boolean => {
  const today = new Date(now).toISOString().slice(0, 10)
  if (milestone === null) return /^none$/i.test(word)
  if (/^started$/i.test(word)) return isStarted(milestone, today)
  return /^any$/i.test(word) || (/^upcoming$/i.test(word) && upcomingIn(place, today).includes(milestone))
}

const SECONDS: Record<string, number> = {
  mo: 4 * 5 * 8 * 3600,
  w: 5 * 8 * 3600,
  d: 8 * 3600,
  h: 3600,
  m: 60,
  s: 1
}

/**
 * Seconds of a duration such as `3h30m`, `1.5h` or `-1d`, with days of eight hours; undefined if it is not a duration.
 */
export const secondsOf = (duration: string): number | undefined => {
  const text = duration.replaceAll(' ', '')
  if (!/^[+-]?(\d+(\.\d+)?(mo|[wdhms]))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(mo|[wdhms])/g)]
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit!]!, 0)
  return Math.round(text.startsWith('-') ? -seconds : seconds)
}

/** Seconds in words, as the forge writes them; null for none. */
export const humanTime = (seconds: number): string | null => {
  let left = Math.abs(seconds)
  const words = ['w', 'd', 'h', 'm', 's'].flatMap(unit => {
    const count = Math.floor(left / SECONDS[unit]!)
    left -= count * SECONDS[unit]!
    return count > 0 ? [`${count}${unit}`] : []
  })
  return words.length === 0 ? null : `${seconds < 0 ? '-' : ''}${words.join(' ')}`
}

/** The texts of a merge request: title, description and notes. */
const textsOf = ({ title, description, discussions }: MergeRequest) =>
  [title, description ?? '', ...discussions.flatMap(({ notes }) => notes.map(({ body }) => body))].join('\n')

/** Merge requests of the issue's project that mention it. */
export const mentions = (issue: Issue): MergeRequest[] =>
  issue.project.mergeRequests.filter(request => new RegExp(`#${issue.iid}(?!\\d)`).test(textsOf(request)))
