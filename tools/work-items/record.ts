import { numberOfGid } from '../../src/engine/requests/gid.ts'
import { type Fields, fieldsOf, recordsIn, textOf } from '../../src/results/is-record.ts'
import { known, nodesOf } from '../families/lists/connections.ts'
import { healthHere } from './health.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a forge answers has no type until it is looked at
type Answer = any

/** How many children and links are shown. */
const MAX_RELATED = 100

const nodes = (connection: Answer): Answer[] | undefined =>
  connection === null || connection === undefined ? undefined : nodesOf(connection)
function placeOf(item: Answer): string | undefined {
  const iid = textOf(item?.iid)
  return iid === '' ? undefined : `${textOf(item.namespace?.fullPath)}#${iid}`
}
const idOf = (record: Answer): unknown => (record?.id === undefined ? undefined : numberOfGid(record.id))
/** Whether a connection has more records than are shown. */
const goesOn = (connection: Answer): boolean =>
  connection?.pageInfo?.hasNextPage === true || (nodes(connection)?.length ?? 0) > MAX_RELATED
const told = (items: Answer[] | undefined): Answer[] | undefined => (items?.length === 0 ? undefined : items)

/** How many widgets are read. There are some thirty kinds. */
const MAX_PARTS = 100

/**
 * Merges features or widgets into one record. Features are an object by name, widgets a list; both hold the same parts.
 */
const partsOf = ({ features, widgets }: Answer): Answer =>
  Object.assign(
    {},
    ...recordsIn((Array.isArray(widgets) ? widgets : Object.values(fieldsOf(features))).slice(0, MAX_PARTS))
  )

/** The ids of an item's people, labels and milestone, as far as they were selected and the item can have them. */
export function namedOf(item: Fields) {
  const parts = partsOf(item)
  const ids = (connection: Answer) => nodes(connection)?.map(record => ({ id: idOf(record) }))
  const milestone = parts.milestone === undefined ? undefined : recordsIn([parts.milestone])
  return {
    people: ids(parts.assignees),
    labels: ids(parts.labels),
    milestone: milestone?.map(record => ({ id: idOf(record) }))
  }
}

/** From the state in the forge's GraphQL to the word that its REST API, all filters and other tools use. */
const states: Readonly<Record<string, string>> = { OPEN: 'opened', CLOSED: 'closed' }

type Serves = (path: string) => boolean

/**
 * A work item as a flat record, without empty fields: people by username, labels by title, other items as `path#iid`.
 * @param serves whether items of a project or group may be shown
 */
export function itemRecord(item: Answer, serves: Serves = () => true): Fields {
  const parts = partsOf(item)
  let left = 0
  const isServed = (other: Answer): boolean => {
    const place = other?.namespace?.fullPath
    const served = serves(typeof place === 'string' ? place : '')
    if (!served) left++
    return served
  }
  const related = (items: Answer, of = (other: Answer) => other) =>
    told(
      nodes(items)
        ?.slice(0, MAX_RELATED)
        .filter(other => isServed(of(other)))
    )
  const record = {
    id: numberOfGid(item.id),
    iid: item.iid,
    type: item.workItemType?.name,
    state: states[item.state] ?? item.state,
    title: item.title,
    description: item.description,
    confidential: item.confidential,
    author: item.author?.username,
    assignees: nodes(parts.assignees)?.map(({ username }) => username),
    labels: nodes(parts.labels)?.map(({ title }) => title),
    milestone: parts.milestone?.title,
    milestone_id: idOf(parts.milestone),
    parent: parts.parent && isServed(parts.parent) ? placeOf(parts.parent) : undefined,
    children: related(parts.children)?.map(placeOf),
    linked: related(parts.linkedItems, ({ workItem }) => workItem)?.map(({ linkType, workItem }) => ({
      link_type: linkType,
      item: placeOf(workItem)
    })),
    start_date: parts.startDate,
    due_date: parts.dueDate,
    status: parts.status?.name,
    weight: parts.weight,
    health_status: healthHere(parts.healthStatus),
    iteration_id: idOf(parts.iteration),
    color: parts.color,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    closed_at: item.closedAt,
    web_url: item.webUrl
  }
  const leftOut = [
    ...(left === 0 ? [] : [`${left} items of other projects or groups`]),
    ...(goesOn(parts.children) ? [`children after the first ${MAX_RELATED}: list those by parent_ids`] : []),
    ...(goesOn(parts.linkedItems) ? [`linked items after the first ${MAX_RELATED}`] : [])
  ]
  return known({ ...record, left_out: leftOut.length === 0 ? undefined : leftOut.join('; ') })
}

/** An item as lists show it, without fields that are empty or have their usual value. */
export function slimRecord(item: Answer, serves: Serves): Fields {
  const { confidential, assignees, labels, ...record } = itemRecord(item, serves) as Answer
  return known({
    ...record,
    confidential: confidential === true ? true : undefined,
    assignees: told(assignees),
    labels: told(labels)
  })
}

/**
 * The discussions of an item.
 * @param onlyComments leaves out system notes
 */
export function discussionRecords(discussions: Answer, onlyComments: boolean): Fields[] {
  return nodesOf(discussions)
    .map(({ id, resolved, notes }) => ({
      discussion_id: id,
      resolved,
      notes: nodesOf(notes)
        .filter(note => !(onlyComments && note.system))
        .map(noteRecord)
    }))
    .filter(({ notes }) => notes.length > 0)
}

export const noteRecord = (note: Answer): Fields =>
  known({
    id: idOf(note),
    author: note.author?.username,
    body: note.body,
    created_at: note.createdAt,
    internal: note.internal,
    system: note.system
  })
