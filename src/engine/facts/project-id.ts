import { CallProblem } from '../../results/problem.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { decodeNamespace, placeOf } from '../requests/template.ts'
import { inSmallLetters } from './full-path.ts'

/**
 * The numeric id of the group that a call names, likewise.
 * @throws errors of ForgeClient.send; CallProblem if the forge returns no id
 */
export const groupIdOf = ({ group_id }: Arguments, context: Pick<ToolContext, 'forge' | 'names'>) =>
  idOf('group_id', 'GET /groups/{group_id}', group_id, context)

/**
 * The numeric id of the project that a call names. For a path it is looked up.
 * @throws errors of ForgeClient.send; CallProblem if the forge returns no id
 */
export const projectIdOf = ({ project_id }: Arguments, context: Pick<ToolContext, 'forge' | 'names'>) =>
  idOf('project_id', 'GET /projects/{project_id}', project_id, context)

async function idOf(
  argument: 'project_id' | 'group_id',
  request: string,
  named: unknown,
  { forge, names }: Pick<ToolContext, 'forge' | 'names'>
): Promise<number> {
  const path = decodeNamespace(argument, String(named))
  if (/^\d+$/.test(path)) return Number(path)
  const noun = argument.slice(0, -'_id'.length)
  return names.find(`${noun} ${inSmallLetters(path)}`, async () => {
    const { value } = await forge.send({ method: 'GET', ...placeOf(request, { [argument]: named }) })
    const id = (value as { id?: unknown } | undefined)?.id
    if (typeof id !== 'number') throw new CallProblem(`The forge answered without the id of the ${noun}.`)
    return id
  })
}
