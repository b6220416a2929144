import { foldedPath } from '../../base/folded-path.ts'
import { CallProblem } from '../../results/problem.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { decodeNamespace, requestTo } from '../requests/template.ts'

/** What tells the id, by the argument that has an id or a path. */
const places = {
  project_id: { request: 'GET /projects/{project_id}', noun: 'project' },
  to_project: { request: 'GET /projects/{to_project}', noun: 'project' },
  group_id: { request: 'GET /groups/{group_id}', noun: 'group' },
  namespace: { request: 'GET /namespaces/{namespace}', noun: 'namespace' },
  parent: { request: 'GET /namespaces/{parent}', noun: 'namespace' }
} as const

/** More digits are no id, and would be another number. */
const isId = (value: string): boolean => /^\d{1,15}$/.test(value)

/**
 * The id of the project, group or namespace that an argument names, where a forge takes no path.
 * @param argument its name; the forge is asked if its value is a path
 * @throws CallProblem when the forge returns a record without an id, and what ForgeClient.send throws
 */
export async function idOfPath(
  argument: keyof typeof places,
  args: Arguments,
  { forge, names }: Pick<ToolContext, 'forge' | 'names'>
): Promise<number> {
  const path = decodeNamespace(argument, String(args[argument]))
  if (isId(path)) return Number(path)
  const { request, noun } = places[argument]
  return names.find(`${noun} ${foldedPath(path)}`, async () => {
    const { value } = await forge.send(requestTo(request, args))
    const id = (value as { id?: unknown } | undefined)?.id
    if (typeof id === 'number') return id
    throw new CallProblem(`The forge did not say which ${noun} ${JSON.stringify(path)} is: give its id.`)
  })
}
