import { Type } from 'typebox'
import type { ToolContext } from '../../src/engine/context.ts'
import { fullPathOf } from '../../src/engine/full-path.ts'
import { gidOf } from '../../src/engine/gid.ts'
import { exactlyOne } from '../../src/engine/rows/checks.ts'
import { ProjectOrGroup } from '../../src/engine/rows/fields.ts'
import { ArgumentError, CallProblem } from '../../src/results/problem.ts'
import { itemIdQuery } from './documents.ts'
import type { Fields } from './record.ts'

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

export interface Place {
  readonly project_id?: string | undefined
  readonly group_id?: string | undefined
}

/** Variables that name one work item. */
export const oneItem = async (args: Place & { readonly iid: string }, context: ToolContext) => ({
  fullPath: await fullPathOf(args, context),
  iid: args.iid
})

/** Tells of which places other items are shown: where projects are limited, of those and of that of the call. */
export async function servedPlaces(args: Place, context: ToolContext): Promise<(path: string) => boolean> {
  const own = await fullPathOf(args, context)
  return path => path === own || context.serves(path)
}

/** @returns the namespace of an answer @throws CallProblem where there is none */
export function namespaceOf({ namespace }: Fields, { project_id, group_id }: Place): Fields {
  if (namespace !== null && namespace !== undefined) return namespace as Fields
  const [noun, id] = project_id === undefined ? ['group', group_id] : ['project', project_id]
  throw new CallProblem(`There is no ${noun} ${JSON.stringify(id)}, or the token may not see it.`)
}

/** @returns the work item of an answer @throws CallProblem where there is none */
export function itemOf(data: Fields, args: Place & { readonly iid: string }): Fields {
  const { workItem } = namespaceOf(data, args)
  if (workItem !== null && workItem !== undefined) return workItem as Fields
  const place = JSON.stringify(args.project_id ?? args.group_id)
  throw new CallProblem(`There is no work item ${args.iid} in ${place}, or the token may not see it.`)
}

const MAX_SHOWN = 60

/**
 * The global id of an item that is named by its id alone. Results write items by their place, as people do.
 * @throws ArgumentError
 */
export function gidOfItem(argument: string, value: string): string {
  if (/^(?:gid:.*|\d+)$/.test(value)) return gidOf('WorkItem', argument, value)
  throw new ArgumentError(
    argument,
    `must be the id of a work item, not ${JSON.stringify(value.slice(0, MAX_SHOWN))}: get_work_item gives the id of what has an iid in a project_id or group_id`
  )
}

/** The global id by which a change names an item. */
export async function itemGid(
  args: Place & { readonly iid: string },
  context: ToolContext
): Promise<unknown> {
  return itemOf(await context.forge.graphql(itemIdQuery, await oneItem(args, context)), args).id
}
