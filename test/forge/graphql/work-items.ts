import { timeOf } from '../../../src/engine/rows/calendar.ts'
import { isReadOnly } from '../model/features.ts'
import { isCalled } from '../model/filters.ts'
import { lineage } from '../model/places.ts'
import { fitsWord } from '../model/plans.ts'
import { withWords } from '../model/words.ts'
import type { ForgeState } from '../state.ts'
import type { User, WorkItem } from '../types.ts'
import { connection, type Page } from './connection.ts'
import { createItem, createNote, updateItem } from './work-item-changes.ts'
import {
  allItems,
  itemFields,
  itemsOf,
  levelAt,
  maySee,
  type Place,
  pathOf,
  placeOf,
  TYPES,
  typeFields
} from './work-item-fields.ts'

interface Filters extends Page {
  types?: string[]
  state?: string
  search?: string
  in?: string[]
  authorUsername?: string
  assigneeUsernames?: string[]
  assigneeWildcardId?: 'NONE' | 'ANY'
  labelName?: string[]
  milestoneTitle?: string[]
  milestoneWildcardId?: 'NONE' | 'ANY' | 'STARTED' | 'UPCOMING'
  iids?: string[]
  parentIds?: string[]
  confidential?: boolean
  includeDescendants?: boolean
  includeAncestors?: boolean
  sort?: string
  [time: string]: unknown
}

const TIMES: [string, (item: WorkItem) => string | null][] = [
  ['created', item => item.createdAt],
  ['updated', item => item.updatedAt],
  ['closed', item => item.closedAt],
  ['due', item => item.dueDate]
]

const inTime = (filters: Filters, item: WorkItem) =>
  TIMES.every(([name, of]) => {
    const [after, before] = [filters[`${name}After`], filters[`${name}Before`]] as (string | undefined)[]
    if (!after && !before) return true
    const at = Date.parse(of(item) ?? '')
    return (!after || at >= timeOf(after)) && (!before || at <= timeOf(before))
  })

const searched = ({ search, in: fields = ['TITLE', 'DESCRIPTION'] }: Filters, item: WorkItem) =>
  !search ||
  fields.some(field => withWords(search)(field === 'TITLE' ? item.title : (item.description ?? '')))

/** The filter by label names. The forge treats None and Any as words in any case. */
const isLabelled = ({ labels }: WorkItem, names: string[]): boolean => {
  const words = names.map(name => name.toLowerCase())
  if (words.includes('none')) return labels.length === 0
  if (words.includes('any')) return labels.length > 0
  return names.every(name => labels.includes(name))
}

const fits = (filters: Filters, item: WorkItem, now: number): boolean => {
  const { types, state = 'all', iids, parentIds, labelName = [], assigneeUsernames = [] } = filters
  return [
    !types || types.includes(item.type.toUpperCase()),
    state === 'all' || state === item.state,
    !iids || iids.includes(String(item.iid)),
    !parentIds || parentIds.includes(`gid://gitlab/WorkItem/${item.planning.parent?.id}`),
    !filters.authorUsername || isCalled(item.author, filters.authorUsername),
    isLabelled(item, labelName),
    !filters.assigneeWildcardId || (filters.assigneeWildcardId === 'ANY') === item.assignees.length > 0,
    assigneeUsernames.every(name => item.assignees.some(user => isCalled(user, name))),
    !filters.milestoneWildcardId || fitsWord(filters.milestoneWildcardId, item.milestone, placeOf(item), now),
    !filters.milestoneTitle || filters.milestoneTitle.includes(item.milestone?.title ?? ''),
    filters.confidential === undefined || filters.confidential === item.confidential,
    searched(filters, item),
    inTime(filters, item)
  ].every(Boolean)
}

const KEYS: Record<string, (item: WorkItem) => string> = {
  CREATED: item => item.createdAt,
  UPDATED: item => item.updatedAt,
  TITLE: item => item.title
}

const sorted = (items: WorkItem[], sort = 'CREATED_DESC') => {
  const [key, direction] = sort.split('_') as [string, string]
  const of = KEYS[key]!
  const sign = direction === 'ASC' ? 1 : -1
  return [...items].sort((a, b) => sign * (of(a).localeCompare(of(b)) || a.id - b.id))
}

/** The places that a list covers: the place itself and, on request, those below and above it. */
const reach = (
  state: ForgeState,
  place: Place,
  { includeDescendants, includeAncestors }: Filters
): Place[] => {
  const above = 'group' in place ? lineage(place.group) : lineage(place).slice(1)
  const below = [...state.projects, ...state.groups].filter(other =>
    pathOf(other).startsWith(`${pathOf(place)}/`)
  )
  return [place, ...(includeDescendants ? below : []), ...(includeAncestors ? above : [])]
}

/**
 * The types that a place may have. Epics belong to groups. They need the Enterprise edition, as some other types do.
 */
const typesAt = (state: ForgeState, place: Place) => {
  const isEnterprise = state.edition === 'ee'
  if (!('group' in place)) return isEnterprise ? ['epic'] : []
  return TYPES.filter(
    type => type !== 'epic' && (isEnterprise || ['issue', 'incident', 'task', 'ticket'].includes(type))
  )
}

const namespaceFields = (state: ForgeState, user: User, place: Place) => ({
  fullPath: pathOf(place),
  workItem: ({ iid }: { iid: string }) => {
    const found = itemsOf(place).find(item => String(item.iid) === iid && maySee(user, item))
    return found ? itemFields(state, user, found) : null
  },
  workItems: (filters: Filters) => {
    const items = reach(state, place, filters)
      .flatMap(itemsOf)
      .filter(item => maySee(user, item) && fits(filters, item, state.now()))
    return connection(
      sorted(items, filters.sort).map(item => itemFields(state, user, item)),
      filters
    )
  },
  workItemTypes: () => ({ nodes: typesAt(state, place).map(typeFields), pageInfo: { hasNextPage: false } })
})

const find = (state: ForgeState, user: User | undefined, path: string): Place | undefined => {
  const place = [...state.projects, ...state.groups].find(other => pathOf(other) === path)
  return place && user && levelAt(user, place) > 0 ? place : undefined
}

const takesChanges = (place: Place, user: User) => !('group' in place) || !isReadOnly(place, 'issues', user)

const itemToChange = (state: ForgeState, user: User | undefined, gid: string): WorkItem | undefined =>
  user &&
  allItems(state).find(
    item =>
      `gid://gitlab/WorkItem/${item.id}` === gid && maySee(user, item) && takesChanges(placeOf(item), user)
  )

/** The root fields of work items. */
export const workItemRoot = (state: ForgeState, user: User | undefined) => ({
  namespace: ({ fullPath }: { fullPath: string }) => {
    const place = find(state, user, fullPath)
    return place ? namespaceFields(state, user!, place) : null
  },
  workItemCreate: ({ input }: { input: Parameters<typeof createItem>[3] }) => {
    const place = find(state, user, input.namespacePath)
    const at =
      place && user && takesChanges(place, user) ? { place, types: typesAt(state, place) } : undefined
    return createItem(state, user, at, input)
  },
  workItemUpdate: ({ input }: { input: Parameters<typeof updateItem>[3] }) =>
    updateItem(state, user, itemToChange(state, user, input.id), input),
  createNote: ({ input }: { input: Parameters<typeof createNote>[3] }) =>
    createNote(state, user, itemToChange(state, user, input.noteableId), input)
})
