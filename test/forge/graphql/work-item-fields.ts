import { groupLevel, LEVEL, levelIn } from '../access.ts'
import { fullPath, groupPath } from '../model/places.ts'
import { groupUrl, projectUrl } from '../present/project.ts'
import type { ForgeState } from '../state.ts'
import type { Discussion, Group, Note, Project, User, WorkItem } from '../types.ts'
import { connection, type Page } from './connection.ts'

export type Place = Project | Group

/** Types that every forge defines. The id of a type is its position in this list, from 1. */
export const TYPES = [
  'issue',
  'incident',
  'test_case',
  'requirement',
  'task',
  'objective',
  'key_result',
  'epic',
  'ticket'
]
const STATUSES = ['To do', 'In progress', 'Done', "Won't do", 'Duplicate']

const words = (type: string) =>
  type
    .split('_')
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join(' ')

export const typeFields = (type: string) => ({
  id: `gid://gitlab/WorkItems::Type/${TYPES.indexOf(type) + 1}`,
  name: words(type),
  enabled: true
})

const isProject = (place: Place): place is Project => 'group' in place
export const placeOf = (item: WorkItem): Place => ('project' in item ? item.project : item.group)
export const pathOf = (place: Place): string => (isProject(place) ? fullPath(place) : groupPath(place))
export const itemsOf = (place: Place): WorkItem[] => (isProject(place) ? place.issues : place.epics)
export const levelAt = (user: User, place: Place): number =>
  isProject(place) ? levelIn(user, place) : groupLevel(user, place)

/** Confidential items exist only for reporters, their author and their assignees. */
export const maySee = (user: User, item: WorkItem): boolean => {
  const level = levelAt(user, placeOf(item))
  if (level === 0) return false
  return (
    !item.confidential || level >= LEVEL.reporter || item.author === user || item.assignees.includes(user)
  )
}

export const allItems = (state: ForgeState): WorkItem[] =>
  [...state.projects, ...state.groups].flatMap(itemsOf)

const person = ({ id, username, name }: User) => ({ id: `gid://gitlab/User/${id}`, username, name })

const labelsOf = (place: Place) => [...place.labels, ...(isProject(place) ? place.group.labels : [])]

export const noteFields = (state: ForgeState, user: User, item: WorkItem, note: Note): object => ({
  id: `gid://gitlab/Note/${note.id}`,
  body: note.body,
  system: note.system,
  internal: note.internal,
  createdAt: note.createdAt,
  lastEditedAt: null,
  author: person(note.author),
  discussion: () => {
    const found = item.discussions.find(({ notes }) => notes.includes(note))!
    return discussionFields(state, user, item, found)
  }
})

const discussionFields = (state: ForgeState, user: User, item: WorkItem, discussion: Discussion) => {
  const inside = levelAt(user, placeOf(item)) >= LEVEL.reporter
  const notes = discussion.notes.filter(note => !note.internal || inside)
  return {
    id: `gid://gitlab/Discussion/${discussion.id}`,
    resolvable: notes.some(({ resolvable }) => resolvable),
    resolved: notes.some(({ resolvable }) => resolvable) && notes.every(note => note.resolvedAt !== null),
    notes: { nodes: notes.map(note => noteFields(state, user, item, note)) }
  }
}

interface DiscussionsAsked extends Page {
  sort?: string
}

const discussions = (state: ForgeState, user: User, item: WorkItem, { sort, ...page }: DiscussionsAsked) => {
  const rows = item.discussions
    .map(discussion => discussionFields(state, user, item, discussion))
    .filter(({ notes }) => notes.nodes.length > 0)
  return connection(sort === 'CREATED_DESC' ? rows.reverse() : rows, page)
}

/** The features of an item that depend on its type, by their names among the features. */
const featuresOf = (state: ForgeState, user: User, item: WorkItem) => {
  const { planning } = item
  const shown = (other: WorkItem) => (maySee(user, other) ? itemFields(state, user, other) : null)
  const children = () =>
    allItems(state).filter(other => other.planning.parent === item && maySee(user, other))
  const links = state.links.filter(({ source, target }) => source === item || target === item)
  const labels = item.labels.flatMap(title => {
    const label = labelsOf(placeOf(item)).find(({ name }) => name === title)
    return label ? [{ ...label, id: `gid://gitlab/ProjectLabel/${label.id}`, title }] : []
  })
  return {
    assignees: { assignees: { nodes: item.assignees.map(person) } },
    hierarchy: {
      hasParent: planning.parent !== null,
      parent: () => planning.parent && shown(planning.parent),
      hasChildren: () => children().length > 0,
      children: () => connection(children().map(shown), {})
    },
    labels: { labels: { nodes: labels } },
    linkedItems: {
      linkedItems: {
        nodes: links.map(({ source, target, type }) => ({
          linkType: type,
          workItem: shown(source === item ? target : source)
        }))
      }
    },
    milestone: {
      milestone: item.milestone && {
        id: `gid://gitlab/Milestone/${item.milestone.id}`,
        title: item.milestone.title
      }
    },
    startAndDueDate: { startDate: planning.startDate, dueDate: item.dueDate },
    color: item.type === 'epic' ? { color: planning.color, textColor: null } : null,
    healthStatus: { healthStatus: planning.healthStatus },
    iteration: {
      iteration:
        planning.iterationId === null ? null : { id: `gid://gitlab/Iteration/${planning.iterationId}` }
    },
    status: { status: { name: STATUSES[planning.statusId - 1] } },
    weight: { weight: item.weight },
    notes: {
      discussionLocked: item.discussionLocked,
      discussions: (asked: DiscussionsAsked) => discussions(state, user, item, asked)
    }
  }
}

const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1)

/** A work item as GraphQL shows it. The same parts are in its features and, as in older forges, in its widgets. */
export const itemFields = (state: ForgeState, user: User, item: WorkItem): object => {
  const place = placeOf(item)
  const url = isProject(place) ? projectUrl(state, place) : groupUrl(state, place)
  return {
    id: `gid://gitlab/WorkItem/${item.id}`,
    iid: String(item.iid),
    namespace: { fullPath: pathOf(place) },
    workItemType: typeFields(item.type),
    state: item.state === 'opened' ? 'OPEN' : 'CLOSED',
    title: item.title,
    description: item.description,
    confidential: item.confidential,
    author: person(item.author),
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
    closedAt: item.closedAt,
    webUrl: `${url}/-/work_items/${item.iid}`,
    features: () => featuresOf(state, user, item),
    widgets: ({ onlyTypes }: { onlyTypes?: string[] }) =>
      Object.entries(featuresOf(state, user, item))
        .filter(
          ([name, feature]) => feature !== null && (!onlyTypes || onlyTypes.includes(name.toUpperCase()))
        )
        .map(([name, feature]) => ({ ...feature, __typename: `WorkItemWidget${capital(name)}` }))
        .filter(({ __typename }) => state.edition === 'ee' || !ENTERPRISE.test(__typename))
  }
}

const ENTERPRISE = /Color|HealthStatus|Iteration|Status|Weight/
