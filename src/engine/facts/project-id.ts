import { CallProblem } from '../../results/problem.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { decodeNamespace, placeOf } from '../requests/template.ts'
import { inSmallLetters } from './full-path.ts'

/**
 * The numeric id of the project that a call names. For a path it is looked up, once a minute for each caller.
 * @throws errors of ForgeClient.send; CallProblem if the forge returns no id
 */
export async function projectIdOf(
  { project_id: project }: Arguments,
  { forge, known }: Pick<ToolContext, 'forge' | 'known'>
): Promise<number> {
  const path = decodeNamespace('project_id', String(project))
  if (/^\d+$/.test(path)) return Number(path)
  return known.remember(`project ${inSmallLetters(path)}`, async () => {
    const place = placeOf('GET /projects/{project_id}', { project_id: project })
    const { value } = await forge.send({ method: 'GET', ...place })
    const id = (value as { id?: unknown } | undefined)?.id
    if (typeof id !== 'number') throw new CallProblem('The forge answered without the id of the project.')
    return id
  })
}
