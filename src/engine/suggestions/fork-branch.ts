import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { listed, page } from './listed.ts'

/**
 * Says of a branch that a project does not have which merge request brings it from a fork: a near name would send the
 * caller to another branch, and a new branch of that name would not be the one of the merge request.
 * @param name of the branch @param args name the project
 * @returns a sentence; undefined if no merge request that is open there has such a source branch in another project, or
 *   if that cannot be read
 */
export async function branchOfFork(
  name: string,
  { project_id }: Arguments,
  context: Pick<ToolContext, 'forge' | 'mayRun'>
): Promise<string | undefined> {
  if (project_id === undefined || !context.mayRun('list_merge_requests')) return undefined
  const query = { source_branch: name, state: 'opened', ...page }
  const requests = await listed('merge_requests', { project_id }, query, context.forge).catch(() => [])
  const found = requests.find(
    ({ source_branch, source_project_id: fork, target_project_id: own }) =>
      source_branch === name && Number.isSafeInteger(fork) && fork !== own
  )
  if (found === undefined) return undefined
  const { iid, source_project_id: fork, sha } = found
  if (!(Number.isSafeInteger(iid) && typeof sha === 'string' && isSha.test(sha))) return undefined
  return `It is the source branch of !${iid}, in the fork with project_id=${fork}: its files are read here by ref=${sha}, and changed there; a branch of that name here would not be the one of !${iid}.`
}

const isSha = /^[0-9a-f]{7,64}$/
