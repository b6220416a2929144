import { foldedPath } from '../../base/folded-path.ts'
import { isStatus } from '../../results/failure.ts'
import { fieldsOf } from '../../results/is-record.ts'
import { quotedName } from '../../results/visible.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { decodeNamespace, requestTo } from '../requests/template.ts'

/**
 * Whether a project has the path by which a call names it. A path that it had before leads there, too, but only REST's
 * reads (GitLab's find_project!): GraphQL has nothing by it.
 * @returns the path that it has instead, if it has moved; undefined where the forge does not say
 * @throws what ForgeClient.send throws, but for 404
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

/** What is said of a project that has moved. */
export const saidOfMoved = (project_id: string, path: string): string =>
  `${quotedName(project_id)} is ${quotedName(path)} now.`

/**
 * Adds to the refusal of a change in a project that has moved where it is now. A failure to read it changes nothing.
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
