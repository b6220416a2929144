import type { ToolContext } from '../../src/engine/context.ts'
import { CallProblem } from '../../src/engine/problem.ts'
import { decodeNamespace, placeOf } from '../../src/engine/template.ts'

/**
 * The full path of a group, which is how GraphQL names it; an id is looked up.
 * @throws ArgumentError for a text that is no path, CallProblem when the forge gives none
 */
export async function fullPathOf(group_id: string, { forge }: ToolContext): Promise<string> {
  if (!/^\d+$/.test(group_id)) return decodeNamespace('group_id', group_id)
  const place = placeOf('GET /groups/{group_id}', { group_id }, 'with_projects=false')
  const { value } = await forge.send({ method: 'GET', ...place })
  const fullPath = (value as { full_path?: unknown } | undefined)?.full_path
  if (typeof fullPath !== 'string' || fullPath === '')
    throw new CallProblem(`The forge did not say the path of group ${group_id}: give the path as group_id.`)
  return fullPath
}

/** Says that a group is missing. */
export const noGroup = (path: string): CallProblem =>
  new CallProblem(`There is no group ${JSON.stringify(path)}, or the token may not see it.`)
