import { foldedPath } from '../../base/folded-path.ts'
import { CallProblem } from '../../results/problem.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { decodeNamespace, requestTo } from '../requests/template.ts'

/** The request that returns the id, by the argument with an id or a path. */
const places = {
  project_id: { request: 'GET /projects/{project_id}', noun: 'project' },
  to_project: { request: 'GET /projects/{to_project}', noun: 'project' },
  group_id: { request: 'GET /groups/{group_id}', noun: 'group' },
  namespace: { request: 'GET /namespaces/{namespace}', noun: 'namespace' },
  parent: { request: 'GET /namespaces/{parent}', noun: 'namespace' }
} as const

/** Longer digit strings are no ids; converted to a number, they would become another one. */
const isId = (value: string): boolean => /^\d{1,15}$/.test(value)

/**
 * The id of the project, group or namespace that an argument names, for endpoints that take no path.
 * @param argument its name; the forge is asked if its value is a path
 * @throws CallProblem if the forge returns a record without an id, and what ForgeClient.send throws
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

/**
 * Whether an id is that of the project that a call names. The id of a path is kept for a minute (specification of
 * reach, 19.9), even for calls that change things: the comparison selects nothing, because the requests themselves name
 * the project as the caller did. Before a call is refused because of a kept id, the forge is asked again.
 * @throws what idOfPath throws
 */
export async function isProjectOf(
  args: Arguments,
  id: unknown,
  context: Pick<ToolContext, 'forge' | 'names' | 'known'>
): Promise<boolean> {
  const path = decodeNamespace('project_id', String(args.project_id))
  const ask = () => idOfPath('project_id', args, context)
  const own = await (isId(path) ? ask() : context.known.remember(`compared project ${foldedPath(path)}`, ask))
  return own === id || (await ask()) === id
}
