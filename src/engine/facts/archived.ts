import { saysMayNot } from '../../results/failure.ts'
import { fieldsOf } from '../../results/is-record.ts'
import { quotedName } from '../../results/visible.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { requestTo } from '../requests/template.ts'

/** The results within a call, which may be refused for each of many things in one project. */
const found = new WeakMap<ForgeClient, Map<string, Promise<string | undefined>>>()

/**
 * Adds to the refusal of a change that its project is archived, if nothing else explains the refusal. A forge uses the
 * same words for that as for a role that is too low (GitLab's ProjectPolicy: archived). If the project cannot be read,
 * nothing is added.
 */
export async function withArchived(
  error: unknown,
  { project_id, archived }: Arguments,
  context: Pick<ToolContext, 'forge' | 'lookups' | 'mayRun'>
): Promise<void> {
  if (!saysMayNot(error) || error.reason !== undefined || isOfScope(error)) return
  // A caller who changes `archived` knows the state.
  if (project_id === undefined || archived !== undefined || !context.mayRun('get_project')) return
  const id = String(project_id)
  const ofCall = found.get(context.forge) ?? new Map<string, Promise<string | undefined>>()
  found.set(context.forge, ofCall)
  const look = ofCall.get(id) ?? archivedPath(id, context)
  ofCall.set(id, look)
  const path = await look
  if (path === undefined) return
  error.reason = `${quotedName(path)} is archived, and takes no such change: who owns it opens it again, as by update_project with archived=false.`
  error.isExplained = true
}

const isOfScope = ({ message }: Error): boolean => /^insufficient_(?:granular_)?scope\b/.test(message)

/** The path of a project that is archived; undefined if it is not, or cannot be read. */
const archivedPath = async (
  project_id: string,
  { forge, lookups }: Pick<ToolContext, 'forge' | 'lookups'>
): Promise<string | undefined> => {
  const request = requestTo('GET /projects/{project_id}', { project_id })
  const answer = await lookups.within(() => forge.send(request)).catch(() => undefined)
  const { archived, path_with_namespace: path } = fieldsOf(answer?.value)
  return archived === true ? String(path ?? project_id) : undefined
}
