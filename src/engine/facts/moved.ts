import { saysMoved } from '../../results/failure.ts'
import { fieldsOf } from '../../results/is-record.ts'
import { quotedName } from '../../results/visible.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { placeOf } from '../requests/template.ts'
import { inSmallLetters } from './full-path.ts'

/**
 * Adds to the refusal of a change in a project that has moved where it is now: reads are redirected there, changes are
 * not (GitLab's find_project!). A failure to read it changes nothing.
 * @returns whether that is why it was refused, so that no other reason counts
 */
export async function withPresentPath(
  error: unknown,
  { project_id }: Arguments,
  context: Pick<ToolContext, 'forge' | 'looks' | 'mayRun'>
): Promise<boolean> {
  if (!saysMoved(error)) return false
  if (project_id === undefined || !context.mayRun('get_project')) return true
  try {
    const place = placeOf('GET /projects/{project_id}', { project_id })
    const { value } =
      (await context.looks.within(() => context.forge.send({ method: 'GET', ...place }))) ?? {}
    const { path_with_namespace: path } = fieldsOf(value)
    if (typeof path === 'string' && inSmallLetters(path) !== inSmallLetters(String(project_id)))
      error.reason = `${quotedName(String(project_id))} is ${quotedName(path)} now.`
  } catch {}
  return true
}
