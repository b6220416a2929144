import { CallProblem } from '../../results/problem.ts'
import type { ToolContext } from '../context.ts'
import { decodeNamespace, requestTo } from '../requests/template.ts'

/** Most characters of a path: that of the deepest possible group is no longer. */
const MAX_PATH = 2_000

/** The project or group that a call names. */
export interface NamedPlace {
  readonly project_id?: string | undefined
  readonly group_id?: string | undefined
}

/**
 * The full path of the project or group of a call, which GraphQL requires. If the call gives an id, the path is looked
 * up.
 * @throws ArgumentError if it is not a path; CallProblem if the forge returns none; errors of ForgeClient.send
 */
export async function fullPathOf(
  { project_id, group_id }: NamedPlace,
  { forge, names }: Pick<ToolContext, 'forge' | 'names'>
): Promise<string> {
  const [name, id] = project_id === undefined ? ['group_id', group_id!] : ['project_id', project_id]
  if (!/^\d+$/.test(id)) return decodeNamespace(name!, id)
  const isProject = project_id !== undefined
  return names.find(`full path of ${name} ${id}`, async () => {
    const place = isProject
      ? requestTo('GET /projects/{project_id}', { project_id })
      : requestTo('GET /groups/{group_id}', { group_id }, 'with_projects=false')
    const { value } = await forge.send(place)
    const path = ((value ?? {}) as Record<string, unknown>)[isProject ? 'path_with_namespace' : 'full_path']
    if (typeof path === 'string' && path !== '' && path.length <= MAX_PATH) return path
    const what = isProject ? 'project' : 'group'
    throw new CallProblem(`The forge did not say the path of ${what} ${id}: give the path as ${name}.`)
  })
}
