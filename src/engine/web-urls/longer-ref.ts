import { isStatus } from '../../results/failure.ts'
import { nextPageOf } from '../../results/next-page.ts'
import { quotedName } from '../../results/visible.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { queryOf } from '../requests/query.ts'
import { requestTo } from '../requests/template.ts'
import { beginsWith, refAndPath } from './web-url.ts'

/* Asks the forge where the ref in an address ends, which the address alone does not say. */

/** The largest page of a list. */
const MAX_BRANCHES = 100

interface Told {
  /** The number of leading segments that are the ref. */
  readonly count: number
  readonly guessed: boolean
}

/** The fallback if the forge does not say: few branch names contain a slash. */
const guess: Told = { count: 1, guessed: true }

/**
 * Finds the branch whose name the segments begin with. One that fits is certain, whatever else there is: Git has
 * no branch `a/b` beside `a`. Of more branches than one page has, those are asked for once more that also begin with
 * the second segment. The result is a guess if none fits.
 * @throws what ForgeClient.send throws, except for a forge that does not show its branches
 */
export async function refIn(
  segments: readonly string[],
  project_id: string,
  context: Pick<ToolContext, 'forge' | 'mayRun'>
): Promise<Told> {
  if (!context.mayRun('list_branches')) return guess
  try {
    const first = await branchIn(segments, 1, project_id, context)
    const isAskedAgain = first.count === 0 && first.goesOn && segments.length > 1
    const { count } = isAskedAgain ? await branchIn(segments, 2, project_id, context) : first
    if (count > 0) return { count, guessed: false }
  } catch (error) {
    if (!isStatus(error, [403, 404])) throw error
  }
  return guess
}

/**
 * How many segments the branch takes that fits (0: none does), of a page of those that begin with the first `beginning`
 * segments; and whether there are more of them.
 */
async function branchIn(
  segments: readonly string[],
  beginning: number,
  project_id: string,
  { forge }: Pick<ToolContext, 'forge'>
): Promise<{ readonly count: number; readonly goesOn: boolean }> {
  const short = (from: readonly string[]) => from.join('/').replace(/^refs\/heads\//, '')
  const query = queryOf({ search: `^${short(segments.slice(0, beginning))}` })
  const request = requestTo('GET /projects/{project_id}/repository/branches', { project_id }, query)
  const { value, headers } = await forge.send(request)
  const whole = short(segments)
  const branches = Array.isArray(value) ? value.slice(0, MAX_BRANCHES) : []
  const counts = branches
    .map(branch => branch?.name)
    .filter(name => typeof name === 'string' && beginsWith(whole, name))
    .map(name => name.split('/').length)
  return { count: Math.max(0, ...counts), goesOn: nextPageOf(headers) !== undefined }
}

/**
 * Finds another reading of an address whose first segment was taken for the ref, but was not found: a branch with a
 * longer name. It asks the forge for branches once or twice, and never fails.
 * @param segments of the ref and the path after it, unless the call names another ref or path
 * @returns the arguments with the new ref and path, and a remark; undefined if no longer branch is known for certain
 */
export async function atLongerRef(
  refusal: unknown,
  segments: readonly string[] | undefined,
  args: Arguments,
  context: Pick<ToolContext, 'forge' | 'lookups' | 'mayRun'>
): Promise<{ readonly args: Record<string, unknown>; readonly remark: string } | undefined> {
  if (segments === undefined || !isStatus(refusal, [404])) return undefined
  const { path: given = '', ref: first, project_id, ...others } = args
  if (first !== segments[0] || given !== segments.slice(1).join('/')) return undefined
  const found = await context.lookups
    .within(() => refIn(segments, String(project_id), context))
    .catch(() => undefined)
  if (found === undefined || found.guessed || found.count === 1) return undefined
  const { ref, path } = refAndPath(segments, found.count)
  const rest = path === undefined ? '' : ` and path ${quotedName(String(path))}`
  return {
    args: { ...others, project_id, ref, ...(path !== undefined && { path }) },
    remark: `The address was read as ref ${quotedName(String(ref))}${rest}: ${quotedName(segments[0]!)} was not found.`
  }
}
