import { quoted } from '../../results/visible.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { anySha } from '../requests/sha.ts'
import { listed, page } from './listed.ts'

/** Most merge requests that are named. Where more have such a branch, its name says nothing of what is meant. */
const MAX_REQUESTS = 3

/**
 * Says of a branch that a project does not have which merge requests bring one of that name from a fork: a near name
 * would send the caller to another branch, and a new branch of that name would not be theirs. Anybody who may fork
 * chooses such names, so this stands beside other suggestions, as one possibility.
 * @param name of the branch @param args name the project
 * @returns a sentence; undefined if no merge request that is open there has such a source branch in another project, if
 *   more than three have, or if that cannot be read
 */
export async function branchOfFork(
  name: string,
  { project_id }: Arguments,
  context: Pick<ToolContext, 'forge' | 'mayRun'>
): Promise<string | undefined> {
  if (project_id === undefined || !context.mayRun('list_merge_requests')) return undefined
  const query = { source_branch: name, state: 'opened', ...page }
  const requests = await listed('merge_requests', { project_id }, query, context.forge).catch(() => [])
  const found = requests.filter(
    ({ iid, sha, source_branch, source_project_id: fork, target_project_id: own }) =>
      source_branch === name &&
      [iid, fork, own].every(Number.isSafeInteger) &&
      fork !== own &&
      typeof sha === 'string' &&
      anySha.test(sha)
  )
  if (found.length === 0 || found.length > MAX_REQUESTS) return undefined
  const named = found.map(
    ({ iid, source_project_id: fork, sha }) =>
      `!${iid} in the fork with project_id=${fork}, whose files are read here by ref=${sha}`
  )
  return `${quoted(name)} is the source branch of ${named.join(', and of ')}, if that is meant: a branch of that name here would be another one.`
}
