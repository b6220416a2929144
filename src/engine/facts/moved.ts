import { foldedPath } from '../../base/folded-path.ts'
import { isStatus } from '../../results/failure.ts'
import { fieldsOf } from '../../results/is-record.ts'
import { quotedName } from '../../results/visible.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { decodeNamespace, requestTo } from '../requests/template.ts'

/**
 * Whether the project of a call has the path by which the call names it. An earlier path of the project also works, but
 * only for reads over REST (GitLab's find_project!): GraphQL finds nothing by it.
 * @returns the current path, if the project has moved; undefined if the forge does not answer in time
 * @throws what ForgeClient.send throws, except for 404
 */
export async function placeNow(
  project_id: string,
  { forge, lookups }: Pick<ToolContext, 'forge' | 'lookups'>
): Promise<'none' | 'there' | { readonly path: string } | undefined> {
  const request = requestTo('GET /projects/{project_id}', { project_id })
  const answer = await lookups
    .within(() => forge.send(request))
    .catch(error => {
      if (isStatus(error, [404])) return 'none' as const
      throw error
    })
  if (answer === undefined || answer === 'none') return answer
  const { path_with_namespace: path } = fieldsOf(answer.value)
  const named = decodeNamespace('project_id', project_id)
  const hasMoved = typeof path === 'string' && !/^\d+$/.test(named) && foldedPath(path) !== foldedPath(named)
  return hasMoved ? { path } : 'there'
}

/** The sentence about a project that has moved. */
export const saidOfMoved = (project_id: string, path: string): string =>
  `${quotedName(project_id)} is ${quotedName(path)} now.`

/**
 * Adds the current path to the refusal of a change in a project that has moved. If it cannot be read, nothing is added.
 */
export async function withPresentPath(
  error: { reason: string | undefined },
  { project_id }: Arguments,
  context: Pick<ToolContext, 'forge' | 'lookups' | 'mayRun'>
): Promise<void> {
  if (project_id === undefined || !context.mayRun('get_project')) return
  const now = await placeNow(String(project_id), context).catch(() => undefined)
  if (typeof now === 'object') error.reason = saidOfMoved(String(project_id), now.path)
}
