import { LEVEL } from '../access.ts'
import { setClosed, setStatus } from '../model/closing.ts'
import { addEpic, addIssue } from '../model/make.ts'
import { dueProblem } from '../model/noteables.ts'
import { addDiscussion, addReply, makeNote } from '../model/notes.ts'
import { runQuickActions } from '../model/quick-actions.ts'
import { assign, mention } from '../model/todos.ts'
import type { ForgeState } from '../state.ts'
import type { User, WorkItem } from '../types.ts'
import { NO_ACCESS } from './access.ts'
import {
  allItems,
  itemFields,
  levelAt,
  maySee,
  noteFields,
  type Place,
  placeOf,
  typeFields
} from './work-item-fields.ts'

interface Widgets {
  descriptionWidget?: { description?: string | null }
  assigneesWidget?: { assigneeIds: string[] }
  milestoneWidget?: { milestoneId?: string | null }
  hierarchyWidget?: { parentId?: string | null }
  labelsWidget?: { labelIds?: string[]; addLabelIds?: string[]; removeLabelIds?: string[] }
  startAndDueDateWidget?: { startDate?: string | null; dueDate?: string | null }
  weightWidget?: { weight?: number | null }
  healthStatusWidget?: { healthStatus?: string | null }
  iterationWidget?: { iterationId?: string | null }
  colorWidget?: { color?: string }
  statusWidget?: { status?: string }
}

const numberOf = (gid: string): number => Number(gid.split('/').at(-1))

/** The labels and milestones that a place may use: its own and those of the groups above it. */
const shared = <K extends 'labels' | 'milestones'>(place: Place, kind: K) => [
  ...place[kind],
  ...('group' in place ? place.group[kind] : [])
]

const iterationsOf = (place: Place) => ('group' in place ? place.group : place).iterations

const applyLabels = (
  item: WorkItem,
  { labelIds, addLabelIds = [], removeLabelIds = [] }: NonNullable<Widgets['labelsWidget']>
) => {
  const names = (ids: string[]) =>
    shared(placeOf(item), 'labels')
      .filter(({ id }) => ids.some(gid => numberOf(gid) === id))
      .map(({ name }) => name)
  const removed = names(removeLabelIds)
  const kept = labelIds ? names(labelIds) : item.labels
  item.labels = [...new Set([...kept, ...names(addLabelIds)])].filter(name => !removed.includes(name))
}

/** Which types may be children of which (docs: work items, parent and child types). */
const CHILDREN: Record<string, string[]> = {
  epic: ['epic', 'issue'],
  issue: ['task'],
  incident: ['task'],
  ticket: ['task'],
  objective: ['objective', 'key_result']
}

/** @returns the reason why the parent cannot be set */
const applyParent = (state: ForgeState, user: User, item: WorkItem, parentId: string): string | undefined => {
  const parent = allItems(state).find(other => other.id === numberOf(parentId) && maySee(user, other))
  if (!parent) return 'No matching work item found. Make sure that you are adding a valid work item ID.'
  if (parent === item) return 'is not allowed to point to itself'
  if (!CHILDREN[parent.type]?.includes(item.type))
    return `#${item.iid} cannot be added: it's not allowed to add this type of parent item`
  item.planning.parent = parent
  return undefined
}

/**
 * Refuses an unknown iteration.
 * @throws Error if the place does not have the iteration and the person may set one
 */
const refuseIteration = (user: User, place: Place, { iterationWidget }: Widgets): void => {
  const { iterationId } = iterationWidget ?? {}
  if (!iterationId || levelAt(user, place) < LEVEL.reporter) return
  if (!iterationsOf(place).some(({ id }) => id === numberOf(iterationId))) throw new Error(NO_ACCESS)
}

const applyWidgets = (state: ForgeState, user: User, item: WorkItem, input: Widgets): string[] => {
  const { planning } = item
  const mayPlan = levelAt(user, placeOf(item)) >= LEVEL.reporter
  const { parentId } = input.hierarchyWidget ?? {}
  const { startDate, dueDate } = input.startAndDueDateWidget ?? {}
  const { iterationId } = input.iterationWidget ?? {}
  // All changes are applied or none, so everything that may fail comes first.
  const start = startDate === undefined ? planning.startDate : startDate
  const due = dueDate === undefined ? item.dueDate : dueDate
  if (mayPlan && dueProblem(start, due)) return [`Due date ${dueProblem(start, due)}`]
  const problem = mayPlan && parentId && applyParent(state, user, item, parentId)
  if (problem) return [problem]
  if (input.descriptionWidget) {
    const before = item.description ?? ''
    item.description = input.descriptionWidget.description ?? null
    mention(state, item, item.description ?? '', { author: user }, before)
  }
  if (!mayPlan) return []
  if (input.assigneesWidget)
    assign(
      state,
      item,
      state.users.filter(({ id }) => input.assigneesWidget!.assigneeIds.some(gid => numberOf(gid) === id)),
      user
    )
  if (input.labelsWidget) applyLabels(item, input.labelsWidget)
  if (input.milestoneWidget?.milestoneId === null) item.milestone = null
  else if (input.milestoneWidget?.milestoneId)
    item.milestone =
      shared(placeOf(item), 'milestones').find(
        ({ id }) => id === numberOf(input.milestoneWidget!.milestoneId!)
      ) ?? item.milestone
  planning.startDate = start
  item.dueDate = due
  if (input.weightWidget) item.weight = input.weightWidget.weight ?? null
  if (input.healthStatusWidget) planning.healthStatus = input.healthStatusWidget.healthStatus ?? null
  planning.color = input.colorWidget?.color ?? planning.color
  if (iterationId !== undefined) planning.iterationId = iterationId === null ? null : numberOf(iterationId)
  if (input.statusWidget?.status) setStatus(state, item, user, numberOf(input.statusWidget.status))
  if (parentId === null) planning.parent = null
  return []
}

const refused = (...errors: string[]) => ({ workItem: null, errors })

interface CreateInput extends Widgets {
  namespacePath: string
  workItemTypeId: string
  title: string
  confidential?: boolean
}

/**
 * workItemCreate. An unknown type, a blank title and a wrong parent are errors of the payload, an unknown iteration is
 * an error of the request. In all these cases nothing is created.
 */
export const createItem = (
  state: ForgeState,
  user: User | undefined,
  at: { place: Place; types: string[] } | undefined,
  input: CreateInput
) => {
  if (!user || !at || levelAt(user, at.place) < LEVEL.guest) throw new Error(NO_ACCESS)
  const { place, types } = at
  const type = types.find(name => typeFields(name).id === input.workItemTypeId)
  if (!type) return refused('Work item type not found')
  if (input.title.trim() === '') return refused("Title can't be blank")
  refuseIteration(user, place, input)
  const parts = { title: input.title, author: user, type, confidential: input.confidential ?? false }
  const item = 'group' in place ? addIssue(state, place, parts) : addEpic(state, place, parts)
  const errors = applyWidgets(state, user, item, input)
  if (errors.length === 0) return { workItem: itemFields(state, user, item), errors }
  if ('group' in place) place.issues.pop()
  else place.epics.pop()
  return refused(...errors)
}

interface UpdateInput extends Widgets {
  id: string
  title?: string
  stateEvent?: 'CLOSE' | 'REOPEN'
}

/** workItemUpdate, for reporters, the author and assignees. */
export const updateItem = (
  state: ForgeState,
  user: User | undefined,
  item: WorkItem | undefined,
  input: UpdateInput
) => {
  if (!user || !item) throw new Error(NO_ACCESS)
  const involved = item.author === user || item.assignees.includes(user)
  if (!involved && levelAt(user, placeOf(item)) < LEVEL.reporter) throw new Error(NO_ACCESS)
  if (input.title?.trim() === '') return refused("Title can't be blank")
  refuseIteration(user, placeOf(item), input)
  const errors = applyWidgets(state, user, item, input)
  if (errors.length > 0) return refused(...errors)
  item.title = input.title ?? item.title
  if (input.stateEvent) setClosed(state, item, user, input.stateEvent === 'CLOSE')
  item.updatedAt = state.time()
  return { workItem: itemFields(state, user, item), errors }
}

interface NoteInput {
  noteableId: string
  body: string
  internal?: boolean
  discussionId?: string
}

/** createNote. A body of only quick actions is carried out and creates no note. */
export const createNote = (
  state: ForgeState,
  user: User | undefined,
  item: WorkItem | undefined,
  { body, internal = false, discussionId }: NoteInput
) => {
  if (!user || !item) throw new Error(NO_ACCESS)
  if (body.trim() === '') return { note: null, errors: ["Note can't be blank"] }
  const { rest, summary } = runQuickActions(state, item, user, body)
  if (rest === '')
    return { note: null, errors: [`Commands only ${summary.join(' ') || 'Failed to apply commands.'}`] }
  const note = makeNote(state, { body: rest, author: user, internal })
  if (discussionId === undefined) addDiscussion(state, item, note, true)
  else {
    const discussion = item.discussions.find(({ id }) => discussionId === `gid://gitlab/Discussion/${id}`)
    if (!discussion) return { note: null, errors: ['Discussion to reply to cannot be found'] }
    addReply(state, item, discussion, note)
  }
  return { note: noteFields(state, user, item, note), errors: [] }
}
