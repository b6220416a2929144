import { Type } from 'typebox'
import type { ToolContext } from '../../src/engine/context.ts'
import { fullPathOf, type NamedPlace } from '../../src/engine/facts/full-path.ts'
import { placeNow, saidOfMoved } from '../../src/engine/facts/moved.ts'
import { AT_ONCE, fewNamed } from '../../src/engine/names/named.ts'
import { gidOf } from '../../src/engine/requests/gid.ts'
import { sideBySide } from '../../src/engine/requests/side-by-side.ts'
import { decodeNamespace } from '../../src/engine/requests/template.ts'
import { exactlyOne } from '../../src/engine/rows/checks.ts'
import { ProjectOrGroup } from '../../src/engine/rows/fields.ts'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import { thingOf, UNREAD } from '../../src/engine/web-urls/said.ts'
import { MAX_WEB_URL_CHARS } from '../../src/engine/web-urls/slashes.ts'
import { type Fields, fieldsOf } from '../../src/results/is-record.ts'
import { ArgumentError, CallProblem, NoPlace } from '../../src/results/problem.ts'
import { wordsOf } from '../../src/results/visible.ts'
import { itemIdQuery } from './documents.ts'

/** Arguments that name one work item. */
export const OneItem = {
  ...ProjectOrGroup,
  iid: Type.String({
    pattern: '^\\d{1,19}$',
    problem: 'must be a number, as in #7 and in web addresses',
    description: 'Its number there'
  })
}

export const ofOne = exactlyOne('project_id', 'group_id')

/** Variables that name one work item. */
export const oneItem = async (args: NamedPlace & { readonly iid: string }, context: ToolContext) => ({
  fullPath: await fullPathOf(args, context),
  iid: args.iid
})

/**
 * Gives a function that tells whether items of a project or group may be shown. Where projects are limited, those that
 * are served may be shown, and the place of the call.
 */
export async function servedPlaces(
  args: NamedPlace,
  context: ToolContext
): Promise<(path: string) => boolean> {
  const own = await fullPathOf(args, context)
  return path => path === own || context.serves(path)
}

/**
 * @returns the namespace in an answer
 * @throws NoPlace if there is none
 */
export function namespaceOf({ namespace }: Fields, { project_id, group_id }: NamedPlace): Fields {
  if (namespace !== null && namespace !== undefined) return namespace as Fields
  throw project_id === undefined ? new NoPlace('group', group_id) : new NoPlace('project', project_id)
}

/**
 * Explains an error that may mean that the project does not exist. Some refusals have the same words for a missing
 * project and for a role that is too low.
 * @returns NoPlace for a missing project, with its new path if it has moved; otherwise the error unchanged
 */
async function explainPlace(
  error: unknown,
  { project_id }: NamedPlace,
  context: Pick<ToolContext, 'forge' | 'lookups' | 'mayRun'>
): Promise<unknown> {
  const mayBeNone = error instanceof NoPlace || (error instanceof Error && noneOrMayNot.test(error.message))
  if (project_id === undefined || !mayBeNone) return error
  const now = await placeNow(project_id, context).catch(() => undefined)
  if (now === undefined || now === 'there') return error
  const none = new NoPlace('project', project_id)
  if (now !== 'none' && context.mayRun('get_project')) none.reason = saidOfMoved(project_id, now.path)
  return none
}

/** A row whose errors say so if the project does not exist or has moved. */
export const explainingPlace = (row: ToolRow): ToolRow =>
  row.kind !== 'graphql'
    ? row
    : {
        ...row,
        explain: async (error, args, context) =>
          explainPlace((await row.explain?.(error, args, context)) ?? error, args, context)
      }

const noneOrMayNot = /^The resource that you are attempting to access does not exist or/

/**
 * @returns the work item in an answer
 * @throws CallProblem if there is none
 */
export function itemOf(data: Fields, args: NamedPlace & { readonly iid: string }): Fields {
  const { workItem } = namespaceOf(data, args)
  if (workItem !== null && workItem !== undefined) return workItem as Fields
  const place = JSON.stringify(args.project_id ?? args.group_id)
  throw new CallProblem(`There is no work item ${args.iid} in ${place}, or the token may not see it.`)
}

const MAX_SHOWN = 60

const isId = (value: string): boolean => /^(?:gid:.*|\d+)$/.test(value)

/**
 * The place of an item as results write it, `acme/rocket#7`. People also write `acme&2` for an epic, and `#7` for an
 * item of the same place.
 */
const BY_PLACE = /^(?<path>[^\s#&]*)(?<sign>[#&])(?<iid>\d{1,19})$/

/** The place that names an item. The path is empty if the item is in the place of the call. */
interface Named {
  readonly path: string
  readonly sign: string
  readonly iid: string
}

/**
 * Reads the place or web address of an item.
 * @throws ArgumentError if the text is neither; CallProblem for an address of another forge
 */
function namedBy(argument: string, value: string, context: ToolContext): Named {
  if (value.length <= MAX_WEB_URL_CHARS && /^https?:\/\//i.test(value)) {
    const address = context.readWebUrl(value, argument)
    const { owner, fields, kind, unread } = address
    if (unread === true) throw new ArgumentError(argument, UNREAD)
    if (owner === undefined || !/^(?:issue|epic|work_item)$/.test(kind))
      throw new ArgumentError(argument, `is ${thingOf(address, context)}: give that of a work item`)
    const path = 'group_path' in owner ? owner.group_path : owner.project_path
    return { path, sign: '#', iid: String(fields.iid ?? fields.issue_iid) }
  }
  const named = BY_PLACE.exec(value)?.groups
  if (named !== undefined) return named as unknown as Named
  throw new ArgumentError(
    argument,
    `must be the id of a work item, its place, as in acme/rocket#7, or its web address, not ${shown(value)}: get_work_item gives the id of what has an iid in a project_id or group_id`
  )
}

const shown = (value: string): string => JSON.stringify(value.slice(0, MAX_SHOWN))

/**
 * The global id of an item. A place or web address is looked up; an id is not.
 * @throws ArgumentError if the value is none of these, or names no item that may be seen; CallProblem for an address of
 * another forge
 */
export async function gidOfItem(
  argument: string,
  value: string,
  args: NamedPlace,
  context: ToolContext
): Promise<string> {
  if (isId(value)) return gidOf('WorkItem', argument, value)
  const { path, sign, iid } = namedBy(argument, value, context)
  if (path === '') refuseElsewhere(argument, `${sign}${iid}`, args)
  const fullPath = path === '' ? await fullPathOf(args, context) : decodeNamespace(argument, path)
  const serves = await servedPlaces(args, context)
  const data = serves(fullPath) ? await context.forge.graphql(itemIdQuery, { fullPath, iid }) : undefined
  const { id, workItemType } = fieldsOf(fieldsOf(fieldsOf(data).namespace).workItem)
  const isMeant = sign === '#' || isEpic(workItemType)
  if (typeof id === 'string' && isMeant) return gidOf('WorkItem', argument, id)
  throw new ArgumentError(argument, `names no work item, or none that may be seen here: ${shown(value)}`)
}

/** Whether a type is that of epics. `acme/rocket&2` must not name the second issue of a project, which has no epics. */
const isEpic = (type: unknown): boolean => /^epic$/i.test(wordsOf(fieldsOf(type).name))

/**
 * Refuses an epic without a place in a project, and an issue without a place in a group. Epics belong to groups, and a
 * project may have several groups above it. Issues belong to projects.
 * @throws ArgumentError
 */
function refuseElsewhere(argument: string, given: string, { project_id }: NamedPlace): void {
  const ofGroup = given.startsWith('&')
  if (ofGroup === (project_id === undefined)) return
  const [thing, places, example] = ofGroup
    ? ['an epic', 'groups', `acme${given}`]
    : ['an issue', 'projects', `acme/rocket${given}`]
  throw new ArgumentError(
    argument,
    `names ${thing}, and those are of ${places}: give its place, as in ${example}`
  )
}

/**
 * The global ids of several items.
 * @throws ArgumentError for too many places, as each takes a request; what gidOfItem throws
 */
export async function gidsOfItems(
  argument: string,
  values: readonly string[],
  args: NamedPlace,
  context: ToolContext
): Promise<readonly string[]> {
  fewNamed(argument, values.filter(value => !isId(value)).length)
  return sideBySide(values, AT_ONCE, value => gidOfItem(argument, value, args, context))
}

/** The global id by which a mutation names an item. */
export async function itemGid(
  args: NamedPlace & { readonly iid: string },
  context: ToolContext
): Promise<unknown> {
  return itemOf(await context.forge.graphql(itemIdQuery, await oneItem(args, context)), args).id
}
